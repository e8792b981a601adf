import { describe, expect, test } from 'vitest';
import { apiError, type Reaction, startScriptedServer } from '../../test/scripted-server.ts';
import { Gatehouse, type GatehouseOptions } from '../index.ts';
import { wait } from './wait.ts';

const id = '01980a3e-7c1b-7d42-9f3a-2b6c4d5e6f70';
const member: Reaction = { status: 200, body: { data: { id } } };
const unavailable = apiError(503, 'unavailable');

/** A client that records its delays instead of waiting. */
async function start(reactions: [Reaction, ...Reaction[]], options: Partial<GatehouseOptions> = {}) {
  const waits: number[] = [];
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds);
  };
  const { url, requests } = await startScriptedServer(...reactions);
  return { gatehouse: new Gatehouse({ url, key: 'gate_test', wait, ...options }), requests, waits };
}

describe('retries that the service requests', () => {
  const calls = {
    get: (gatehouse: Gatehouse) => gatehouse.members.get(id),
    create: (gatehouse: Gatehouse) => gatehouse.members.create({ email: 'ada@example.com' }),
    update: (gatehouse: Gatehouse) => gatehouse.members.update(id, { paid: true }),
    delete: (gatehouse: Gatehouse) => gatehouse.members.delete(id),
  };
  for (const [name, call] of Object.entries(calls)) {
    test(`${name} is tried again after 429 and 503`, async () => {
      const { gatehouse, requests } = await start([apiError(429, 'rate_limited'), unavailable, member]);
      await call(gatehouse);
      expect(requests).toHaveLength(3);
    });
  }

  test('it waits for a first call that is still running', async () => {
    const { gatehouse, requests } = await start([apiError(409, 'idempotency_in_progress'), member]);
    await gatehouse.members.create({ email: 'ada@example.com' });
    expect(requests).toHaveLength(2);
  });

  test('it waits for Retry-After, in seconds or until a date', async () => {
    const inThirtySeconds = new Date(Date.now() + 30_000).toUTCString();
    const { gatehouse, waits } = await start([
      apiError(429, 'rate_limited', { 'retry-after': '7' }),
      apiError(503, 'unavailable', { 'retry-after': inThirtySeconds }),
      member,
    ]);
    await gatehouse.members.get(id);
    expect(waits[0]).toBeGreaterThanOrEqual(7_000);
    expect(waits[0]).toBeLessThanOrEqual(7_500);
    expect(waits[1]).toBeGreaterThan(20_000);
    expect(waits[1]).toBeLessThanOrEqual(31_000);
  });

  test('it does not wait for more than a minute', async () => {
    const { gatehouse, requests } = await start([apiError(429, 'rate_limited', { 'retry-after': '61' })]);
    await expect(gatehouse.members.get(id)).rejects.toMatchObject({
      code: 'rate_limited',
      status: 429,
      retryAfterSeconds: 61,
    });
    expect(requests).toHaveLength(1);
  });

  test('the delays double and have jitter', async () => {
    const { gatehouse, waits } = await start([unavailable], { retries: 6 });
    await expect(gatehouse.members.get(id)).rejects.toMatchObject({ code: 'unavailable' });
    const ceilings = [500, 1_000, 2_000, 4_000, 8_000, 8_000];
    expect(waits).toHaveLength(ceilings.length);
    for (const [index, ceiling] of ceilings.entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(ceiling / 2);
      expect(waits[index]).toBeLessThanOrEqual(ceiling);
    }
  });

  test('there are four attempts in total, or as many as the options set', async () => {
    const patient = await start([unavailable]);
    await expect(patient.gatehouse.members.get(id)).rejects.toMatchObject({ code: 'unavailable' });
    expect(patient.requests).toHaveLength(4);
    const noRetries = await start([unavailable], { retries: 0 });
    await expect(noRetries.gatehouse.members.get(id)).rejects.toMatchObject({ code: 'unavailable' });
    expect(noRetries.requests).toHaveLength(1);
  });
});

describe('errors after which it is unknown whether the call took effect', () => {
  const proxyError: Reaction = { status: 502, body: '<h1>Bad gateway</h1>' };
  for (const trouble of ['drop the connection', 'stop in the middle', proxyError] as const) {
    const name = typeof trouble === 'string' ? trouble : 'answer 502';

    test(`reading and creating are tried again when connections ${name}`, async () => {
      const { gatehouse, requests } = await start([trouble, member, trouble, member]);
      expect(await gatehouse.members.get(id)).toEqual({ id });
      expect(await gatehouse.members.create({ email: 'ada@example.com' })).toEqual({ id });
      expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST', 'POST']);
    });

    test(`changing and deleting are not tried again when connections ${name}`, async () => {
      const { gatehouse, requests } = await start([trouble]);
      const code = trouble === proxyError ? 'unexpected_response' : 'network_error';
      await expect(gatehouse.members.update(id, { paid: true })).rejects.toMatchObject({ code });
      await expect(gatehouse.members.delete(id)).rejects.toMatchObject({ code });
      expect(requests).toHaveLength(2);
    });
  }

  test('an attempt that takes too long is aborted and repeated', async () => {
    const { gatehouse, requests } = await start(['never answer', member], { timeoutMilliseconds: 1_000 });
    expect(await gatehouse.members.get(id)).toEqual({ id });
    // On a busy machine, further attempts can take too long as well.
    expect(requests.length).toBeGreaterThanOrEqual(2);
  });

  test('a change that takes too long is not repeated', async () => {
    const { gatehouse, requests, waits } = await start(['never answer'], { timeoutMilliseconds: 50 });
    await expect(gatehouse.members.update(id, { paid: true })).rejects.toMatchObject({
      code: 'timeout',
      status: undefined,
    });
    // The time limit may be reached before the request has arrived.
    expect(requests.length).toBeLessThanOrEqual(1);
    expect(waits).toEqual([]);
  });
});

test('an error of the request is final', async () => {
  for (const reaction of [
    apiError(400, 'invalid_request'),
    apiError(401, 'invalid_api_key'),
    apiError(404, 'member_not_found'),
    apiError(409, 'email_taken'),
    apiError(412, 'precondition_failed'),
    apiError(500, 'internal_error'),
  ]) {
    const { gatehouse, requests } = await start([reaction]);
    await expect(gatehouse.members.get(id)).rejects.toThrow('Try again.');
    expect(requests).toHaveLength(1);
  }
});

test('all attempts of a call have the same idempotency key, request ID and body', async () => {
  const { gatehouse, requests } = await start(['drop the connection', unavailable, member]);
  await gatehouse.members.create({ email: 'ada@example.com' });
  await gatehouse.members.create({ email: 'ada@example.com' });
  const identities = requests.map(({ headers, body }) =>
    [headers['idempotency-key'], headers['x-request-id'], body].join(' '),
  );
  expect(identities[0]).toMatch(/^"[0-9a-f-]{36}" [0-9a-f-]{36} \{"email":"ada@example.com"\}$/);
  expect(identities[1]).toBe(identities[0]);
  expect(identities[2]).toBe(identities[0]);
  expect(identities[3]).not.toBe(identities[0]);
});

test('only creating sends an idempotency key', async () => {
  const { gatehouse, requests } = await start([member]);
  await gatehouse.members.get(id);
  await gatehouse.members.update(id, { paid: true });
  await gatehouse.members.delete(id);
  expect(requests.filter(({ headers }) => 'idempotency-key' in headers)).toEqual([]);
});

describe('a signal', () => {
  test('that has already aborted prevents the call', async () => {
    const { gatehouse, requests } = await start([member]);
    const reason = new Error('enough');
    await expect(gatehouse.members.get(id, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(requests).toHaveLength(0);
  });

  test('ends a running call', async () => {
    const { gatehouse, requests } = await start(['never answer'], { timeoutMilliseconds: 3_600_000 });
    const stop = new AbortController();
    const call = gatehouse.members.get(id, { signal: stop.signal });
    await expect.poll(() => requests.length).toBe(1);
    stop.abort();
    await expect(call).rejects.toBe(stop.signal.reason);
  });

  test('ends the delay before the next attempt', async () => {
    const { url } = await startScriptedServer(apiError(429, 'rate_limited', { 'retry-after': '60' }));
    const stop = new AbortController();
    const reason = new Error('enough');
    const abortSoon: typeof wait = (milliseconds, signal) => {
      setTimeout(() => stop.abort(reason));
      return wait(milliseconds, signal);
    };
    const gatehouse = new Gatehouse({ url, key: 'gate_test', wait: abortSoon });
    await expect(gatehouse.members.get(id, { signal: stop.signal })).rejects.toBe(reason);
  });
});
