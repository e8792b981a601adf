import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { startScriptedServer } from '../../test/scripted-server.ts';
import { version } from '../api/version.ts';
import { Gatehouse, type GatehouseOptions } from '../index.ts';

const site = { status: 200, body: { data: { slug: 'academy' } } };
const key = 'gate_test';

async function requestWith(options: (url: string) => Partial<GatehouseOptions>) {
  const { url, requests } = await startScriptedServer(site);
  const gatehouse = new Gatehouse({ url, key, ...options(url) });
  await gatehouse.site.get({ headers: { traceparent: '00-1', authorization: 'Bearer other' } });
  return requests[0]!;
}

test.each(['', '/', '/api/v1', '/api/v1/', '?a=b#c'])('the url may end in %j', async (end) => {
  const { path } = await requestWith((url) => ({ url: url + end }));
  expect(path).toBe('/api/v1/site');
});

test('the service may be below a path', async () => {
  const { path } = await requestWith((url) => ({ url: `${url}/gatehouse/` }));
  expect(path).toBe('/gatehouse/api/v1/site');
});

test('each request has the key, a request ID, the user agent and the headers of the call', async () => {
  const { headers } = await requestWith(() => ({ userAgent: 'shop/2.1' }));
  expect(headers).toMatchObject({
    authorization: 'Bearer gate_test',
    'user-agent': `shop/2.1 gatehouse-client/${version}`,
    traceparent: '00-1',
  });
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
});

test('white space around a key is ignored, because files end in a line break', async () => {
  const { headers } = await requestWith(() => ({ key: 'gate_test\n' }));
  expect(headers.authorization).toBe('Bearer gate_test');
});

describe('invalid options', () => {
  const url = 'https://gatehouse.example.com';
  test.each<[string, Partial<GatehouseOptions>]>([
    ['url', { url: 'gatehouse.example.com' }],
    ['url', { url: 'ftp://gatehouse.example.com' }],
    ['url', { url: 'https://user:password@gatehouse.example.com' }],
    ['key', { key: '' }],
    ['retries', { retries: -1 }],
    ['retries', { retries: 11 }],
    ['timeoutMilliseconds', { timeoutMilliseconds: Number.POSITIVE_INFINITY }],
    ['timeoutMilliseconds', { timeoutMilliseconds: 0 }],
  ])('%s: %j', (name, options) => {
    expect(() => new Gatehouse({ url, key, ...options })).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(`\`${name}\``) }),
    );
  });

  test('never show the key', () => {
    const secret = 'gate_secret\nof two lines';
    const attempt = () => new Gatehouse({ url, key: secret });
    expect(attempt).toThrow(/one line/);
    expect(attempt).not.toThrow(/secret/);
  });
});

test('printing a client does not show its key', () => {
  const gatehouse = new Gatehouse({ url: 'https://gatehouse.example.com', key: 'gate_secret' });
  expect(inspect(gatehouse, { depth: 9, showHidden: true })).not.toContain('gate_secret');
  expect(JSON.stringify(gatehouse)).not.toContain('gate_secret');
});

describe('other servers', () => {
  test.each([
    ['a page of a proxy', { status: 404, body: '<h1>Not found</h1>' }, 404],
    ['another service', { status: 200, body: { hello: 'world' } }, 200],
    ['an error of another service', { status: 403, body: { error: 'forbidden' } }, 403],
    ['nothing at all', { status: 200 }, 200],
  ])('%s is an unexpected response', async (_, reaction, status) => {
    const { url } = await startScriptedServer(reaction);
    await expect(new Gatehouse({ url, key }).site.get()).rejects.toMatchObject({
      code: 'unexpected_response',
      status,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('a redirect is not followed but reported', async () => {
    const location = 'https://elsewhere.example.com/api/v1/members';
    const { url, requests } = await startScriptedServer({ status: 301, headers: { location } });
    const call = new Gatehouse({ url, key }).members.create({ email: 'ada@example.com' });
    await expect(call).rejects.toThrow(location);
    expect(requests).toHaveLength(1);
  });

  test('a missing server is a network error with its reason', async () => {
    const gatehouse = new Gatehouse({ url: 'http://127.0.0.1:9', key, retries: 0 });
    await expect(gatehouse.site.get()).rejects.toMatchObject({
      code: 'network_error',
      status: undefined,
      message: expect.stringMatching(/ECONNREFUSED|bad port/),
      cause: expect.any(Error),
    });
  });
});
