import { describe, expect, test } from 'vitest';
import { type Reaction, refusal, startScriptedServer } from '../test/scripted-server.ts';
import { Gatehouse, type GatehouseOptions } from './index.ts';
import { wait } from './wait.ts';

const id = '01980a3e-7c1b-7d42-9f3a-2b6c4d5e6f70';
const member: Reaction = { status: 200, body: { data: { id } } };
const unavailable = refusal(503, 'unavailable');

/** A client whose waits take no time, but are written down. */
async function start(reactions: [Reaction, ...Reaction[]], options: Partial<GatehouseOptions> = {}) {
  const waits: number[] = [];
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds);
  };
  const { url, requests } = await startScriptedServer(...reactions);
  return { gatehouse: new Gatehouse({ url, key: 'gate_test', wait, ...options }), requests, waits };
}

describe('what the service asks to be tried again', () => {
  const calls = {
    get: (gatehouse: Gatehouse) => gatehouse.members.get(id),
    create: (gatehouse: Gatehouse) => gatehouse.members.create({ email: 'ada@example.com' }),
    update: (gatehouse: Gatehouse) => gatehouse.members.update(id, { paid: true }),
    delete: (gatehouse: Gatehouse) => gatehouse.members.delete(id),
  };
  for (const [name, call] of Object.entries(calls)) {
    test(`${name} is tried again after 429 and 503`, async () => {
      const { gatehouse, requests } = await start([refusal(429, 'rate_limited'), unavailable, member]);
      await call(gatehouse);
      expect(requests).toHaveLength(3);
    });
  }

  test('a first call that is still running is waited for', async () => {
    const { gatehouse, requests } = await start([refusal(409, 'idempotency_in_progress'), member]);
    await gatehouse.members.create({ email: 'ada@example.com' });
    expect(requests).toHaveLength(2);
  });

  test('Retry-After is waited for, in seconds or until a date', async () => {
    const inThirtySeconds = new Date(Date.now() + 30_000).toUTCString();
    const { gatehouse, waits } = await start([
      refusal(429, 'rate_limited', { 'retry-after': '7' }),
      refusal(503, 'unavailable', { 'retry-after': inThirtySeconds }),
      member,
    ]);
    await gatehouse.members.get(id);
    expect(waits[0]).toBeGreaterThanOrEqual(7_000);
    expect(waits[0]).toBeLessThanOrEqual(7_500);
    expect(waits[1]).toBeGreaterThan(20_000);
    expect(waits[1]).toBeLessThanOrEqual(31_000);
  });

  test('more than a minute is not waited for', async () => {
    const { gatehouse, requests } = await start([refusal(429, 'rate_limited', { 'retry-after': '61' })]);
    await expect(gatehouse.members.get(id)).rejects.toMatchObject({
      code: 'rate_limited',
      status: 429,
      retryAfterSeconds: 61,
    });
    expect(requests).toHaveLength(1);
  });

  test('the waits grow twofold, each with chance in it', async () => {
    const { gatehouse, waits } = await start([unavailable], { retries: 6 });
    await expect(gatehouse.members.get(id)).rejects.toMatchObject({ code: 'unavailable' });
    const ceilings = [500, 1_000, 2_000, 4_000, 8_000, 8_000];
    expect(waits).toHaveLength(ceilings.length);
    for (const [index, ceiling] of ceilings.entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(ceiling / 2);
      expect(waits[index]).toBeLessThanOrEqual(ceiling);
    }
  });

  test('it is tried four times in all, or as often as the options say', async () => {
    const patient = await start([unavailable]);
    await expect(patient.gatehouse.members.get(id)).rejects.toMatchObject({ code: 'unavailable' });
    expect(patient.requests).toHaveLength(4);
    const hasty = await start([unavailable], { retries: 0 });
    await expect(hasty.gatehouse.members.get(id)).rejects.toMatchObject({ code: 'unavailable' });
    expect(hasty.requests).toHaveLength(1);
  });
});

describe('what nobody knows the end of', () => {
  const proxyError: Reaction = { status: 502, body: '<h1>Bad gateway</h1>' };
  for (const trouble of ['drop the connection', 'stop in the middle', proxyError] as const) {
    const name = typeof trouble === 'string' ? trouble : 'answer 502';

    test(`reading and creating are tried again when connections ${name}`, async () => {
      const { gatehouse, requests } = await start([trouble, member, trouble, member]);
      expect(await gatehouse.members.get(id)).toEqual({ id });
      expect(await gatehouse.members.create({ email: 'ada@example.com' })).toEqual({ id });
      expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST', 'POST']);
    });

    test(`changing and deleting are not when connections ${name}`, async () => {
      const { gatehouse, requests } = await start([trouble]);
      const code = trouble === proxyError ? 'unexpected_response' : 'network_error';
      await expect(gatehouse.members.update(id, { paid: true })).rejects.toMatchObject({ code });
      await expect(gatehouse.members.delete(id)).rejects.toMatchObject({ code });
      expect(requests).toHaveLength(2);
    });
  }

  test('a try that takes too long is given up and made again', async () => {
    const { gatehouse, requests } = await start(['never answer', member], { timeoutMilliseconds: 1_000 });
    expect(await gatehouse.members.get(id)).toEqual({ id });
    // On a machine that is busy further tries can take too long as well.
    expect(requests.length).toBeGreaterThanOrEqual(2);
  });

  test('a change that takes too long is not made again', async () => {
    const { gatehouse, requests, waits } = await start(['never answer'], { timeoutMilliseconds: 50 });
    await expect(gatehouse.members.update(id, { paid: true })).rejects.toMatchObject({
      code: 'timeout',
      status: undefined,
    });
    // The time may be over before it has arrived.
    expect(requests.length).toBeLessThanOrEqual(1);
    expect(waits).toEqual([]);
  });
});

test('a refusal is final', async () => {
  for (const reaction of [
    refusal(400, 'invalid_request'),
    refusal(401, 'invalid_api_key'),
    refusal(404, 'member_not_found'),
    refusal(409, 'email_taken'),
    refusal(412, 'precondition_failed'),
    refusal(500, 'internal_error'),
  ]) {
    const { gatehouse, requests } = await start([reaction]);
    await expect(gatehouse.members.get(id)).rejects.toThrow('Try again.');
    expect(requests).toHaveLength(1);
  }
});

test('all tries of a call have the same idempotency key, request id and body', async () => {
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

test('only creating carries an idempotency key', async () => {
  const { gatehouse, requests } = await start([member]);
  await gatehouse.members.get(id);
  await gatehouse.members.update(id, { paid: true });
  await gatehouse.members.delete(id);
  expect(requests.filter(({ headers }) => 'idempotency-key' in headers)).toEqual([]);
});

describe('a signal', () => {
  test('that has aborted already keeps the call from being sent', async () => {
    const { gatehouse, requests } = await start([member]);
    const reason = new Error('enough');
    await expect(gatehouse.members.get(id, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(requests).toHaveLength(0);
  });

  test('ends a call that is under way', async () => {
    const { gatehouse, requests } = await start(['never answer'], { timeoutMilliseconds: 3_600_000 });
    const stop = new AbortController();
    const call = gatehouse.members.get(id, { signal: stop.signal });
    await expect.poll(() => requests.length).toBe(1);
    stop.abort();
    await expect(call).rejects.toBe(stop.signal.reason);
  });

  test('ends the wait for the next try', async () => {
    const { url } = await startScriptedServer(refusal(429, 'rate_limited', { 'retry-after': '60' }));
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
