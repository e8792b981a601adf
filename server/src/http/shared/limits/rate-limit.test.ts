import { describe, expect, test } from 'vitest';
import { expectError, expectEveryHeader, expectResponse } from '../../../../test/contract/answers.ts';
import { forOneStore } from '../../../../test/stores.ts';
import { send, type TestRequest, type TestResponse } from '../../../../test/test-server.ts';
import { useTestServer } from '../../../../test/use-server.ts';

const limitOfKeys = 6;
const limitOfAddresses = 3;
const unlimited = 1_000_000_000;

let lastNetwork = 0;
/** A client address that no other test has used. */
const freshAddress = () => `203.0.113.${++lastNetwork}`;

function figures({ headers }: TestResponse) {
  return {
    limit: Number(headers.get('x-ratelimit-limit')),
    remaining: Number(headers.get('x-ratelimit-remaining')),
  };
}

forOneStore((store) => {
  const settings = { rateLimit: limitOfKeys, rateLimitUnauthenticated: limitOfAddresses };
  const server = useTestServer(store, {
    settings: { ...settings, trustedProxies: ['127.0.0.0/8', '10.1.0.0/16'] },
  });
  const direct = useTestServer(store, { settings });

  const from = (forwardedFor: string, path = '/api/v1/site', request: TestRequest = {}) =>
    send(server.address + path, 'GET', {
      ...request,
      headers: { 'x-forwarded-for': forwardedFor, ...request.headers },
    });

  describe('the limit of a key', () => {
    test('is 6 here: each response says what remains, and the seventh request is rejected', async () => {
      const site = await server.createSite();
      const resets = new Set<number>();
      for (let left = limitOfKeys - 1; left >= 0; left -= 1) {
        const answer = await site.get('/site');
        expectResponse('getSite', answer, 200);
        expect(figures(answer)).toEqual({ limit: limitOfKeys, remaining: left });
        resets.add(Number(answer.headers.get('x-ratelimit-reset')));
      }
      // One window, whose end is given in whole seconds.
      expect(Math.max(...resets) - Math.min(...resets)).toBeLessThanOrEqual(1);
      for (let time = 0; time < 2; time += 1) {
        const rejected = await site.get('/site');
        expectResponse('getSite', rejected, 429, 'rate_limited');
        expect(figures(rejected)).toEqual({ limit: limitOfKeys, remaining: 0 });
        const seconds = Number(rejected.headers.get('retry-after'));
        expect(seconds).toBeGreaterThanOrEqual(1);
        expect(seconds).toBeLessThanOrEqual(60);
        expect(rejected.headers.get('ratelimit')).toBe(`"default";r=0;t=${seconds}`);
      }
    });

    test('is separate from those of other keys of the same site', async () => {
      const site = await server.createSite();
      const small = await site.createKey({ rateLimit: 1 });
      const authorization = `Bearer ${small.secret}`;
      expect(figures(await site.get('/site', { authorization }))).toEqual({ limit: 1, remaining: 0 });
      expectResponse('getSite', await site.get('/site', { authorization }), 429, 'rate_limited');
      expect(figures(await site.get('/site'))).toEqual({ limit: limitOfKeys, remaining: limitOfKeys - 1 });
    });

    test('can be off; then the headers show a limit of 1,000,000,000', async () => {
      const site = await server.createSite();
      const { secret } = await site.createKey({ rateLimit: 0 });
      for (let time = 1; time <= 2 * limitOfKeys; time += 1) {
        const answer = await site.get('/site', { authorization: `Bearer ${secret}` });
        expectResponse('getSite', answer, 200);
        expect(figures(answer)).toEqual({ limit: unlimited, remaining: unlimited - time });
      }
    });

    test('counts rejected requests too', async () => {
      const site = await server.createSite(['members:read', 'members:write']);
      const rejected = [
        [await site.get('/site'), 403],
        [await site.post('/members', '{'), 400],
        [await site.get('/nothing'), 404],
        [await site.request('PUT', '/members'), 405],
        [await site.post('/members', 'x', { 'content-type': 'text/plain' }), 415],
      ] as const;
      rejected.forEach(([answer, status], index) => {
        expect(answer.status).toBe(status);
        expectEveryHeader(answer);
        expect(figures(answer).remaining).toBe(limitOfKeys - 1 - index);
      });
    });

    test('comes before the permission', async () => {
      const site = await server.createSite();
      const { secret } = await site.createKey({ rateLimit: 1, permissions: [] });
      const authorization = `Bearer ${secret}`;
      expectResponse('getSite', await site.get('/site', { authorization }), 403, 'permission_denied');
      expectResponse('getSite', await site.get('/site', { authorization }), 429, 'rate_limited');
    });

    test('stops a rejected request before it has an effect', async () => {
      const site = await server.createSite();
      const { secret } = await site.createKey({ rateLimit: 1 });
      const authorization = `Bearer ${secret}`;
      await site.get('/site', { authorization });
      const rejected = await site.post('/members', { email: 'ada@example.com' }, { authorization });
      expectResponse('createMember', rejected, 429, 'rate_limited');
      expect((await site.get('/members')).body.data).toEqual([]);
    });
  });

  describe('the limit of a client address', () => {
    test('applies to all requests without a valid key', async () => {
      const address = freshAddress();
      const wrong = { headers: { authorization: 'Bearer gate_wrong' } };
      const answers = [
        await from(address),
        await from(address, '/api/v1/members', wrong),
        await from(address, '/api/v1/openapi.json'),
      ];
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 200]);
      answers.forEach((answer, index) => {
        expect(figures(answer)).toEqual({ limit: limitOfAddresses, remaining: limitOfAddresses - 1 - index });
      });
      for (const rejected of [
        await from(address),
        await from(address, '/api/v1/members', wrong),
        await from(address, '/api/v1/openapi.json'),
        await from(address, '/docs'),
        await from(address, '/nothing'),
        await from(address, '/api/v1/nothing'),
      ]) {
        expectError(rejected, 429, 'rate_limited');
        expect(figures(rejected)).toEqual({ limit: limitOfAddresses, remaining: 0 });
      }
    });

    test('does not limit a valid key from the same address', async () => {
      const address = freshAddress();
      for (let time = 0; time <= limitOfAddresses; time += 1) await from(address);
      expectError(await from(address), 429, 'rate_limited');
      const site = await server.createSite();
      const answer = await site.get('/site', { 'x-forwarded-for': address });
      expectResponse('getSite', answer, 200);
      expect(figures(answer)).toEqual({ limit: limitOfKeys, remaining: limitOfKeys - 1 });
    });

    test('is not used up by valid keys', async () => {
      const address = freshAddress();
      const site = await server.createSite();
      for (let time = 0; time < limitOfAddresses; time += 1) {
        await site.get('/site', { 'x-forwarded-for': address });
      }
      expect(figures(await from(address)).remaining).toBe(limitOfAddresses - 1);
    });

    test('does not count health checks', async () => {
      const address = freshAddress();
      for (const path of ['/healthz', '/readyz', '/readyz/writes', '/healthz', '/readyz']) {
        expect((await from(address, path)).status).toBe(200);
      }
      expect(figures(await from(address)).remaining).toBe(limitOfAddresses - 1);
    });

    test('applies to an IPv6 network like to one address', async () => {
      const statuses = [];
      for (const address of [
        '2001:db8:1:1::1',
        '2001:db8:1:1::2',
        '2001:DB8:1:1:ffff::',
        '2001:db8:1:1:5::6',
      ]) {
        statuses.push((await from(address)).status);
      }
      expect(statuses).toEqual([401, 401, 401, 429]);
      expect((await from('2001:db8:1:2::1')).status).toBe(401);
    });

    test('applies 16-fold to all networks of a wider IPv6 network together', async () => {
      const inside = (subnet: number) => `2001:db8:48:${subnet.toString(16)}::1`;
      // What is over the limit of one network does not use up that of the others.
      for (let time = 0; time < 20; time += 1) await from(inside(0xffff));
      const left: number[] = [];
      for (let subnet = limitOfAddresses; subnet < 16 * limitOfAddresses; subnet += 1) {
        const answer = await from(inside(subnet));
        expect([subnet, answer.status]).toEqual([subnet, 401]);
        left.push(figures(answer).remaining);
      }
      expect(left.slice(-3)).toEqual([2, 1, 0]);
      for (const address of [inside(0xabc), '[2001:db8:48:abcd::]:4711']) {
        const rejected = await from(address);
        expectError(rejected, 429, 'rate_limited');
        expect(figures(rejected)).toEqual({ limit: limitOfAddresses, remaining: 0 });
        expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect((await from('2001:db8:49:abc::1')).status).toBe(401);
    });

    test('treats an IPv4-mapped IPv6 address as its IPv4 address', async () => {
      const address = freshAddress();
      await from(`::ffff:${address}`);
      expect(figures(await from(address)).remaining).toBe(limitOfAddresses - 2);
    });

    test('treats every IPv6 address that stands for an IPv4 address as that one', async () => {
      const address = freshAddress();
      const bytes = address.split('.').map(Number);
      const hex = [0, 2].map((at) => (bytes[at]! * 256 + bytes[at + 1]!).toString(16)).join(':');
      const spelled = [`::ffff:${hex}`, `0:0:0:0:0:FFFF:${address}`, `64:ff9b::${hex}`];
      for (const each of spelled) expect((await from(each)).status).toBe(401);
      expect((await from(address)).status).toBe(429);
      // Its neighbors have limits of their own.
      expect((await from(`64:ff9b::${freshAddress()}`)).status).toBe(401);
      expect((await from(`::ffff:0:${hex}`)).status).toBe(401);
      expect((await from('::1')).status).toBe(401);
    });

    test('ignores the port, which differs for every connection', async () => {
      const address = freshAddress();
      const spelled = [`${address}:4711`, address, `${address}:4712`, `::FFFF:${address}`];
      const statuses = [];
      for (const each of spelled) statuses.push((await from(each)).status);
      expect(statuses).toEqual([401, 401, 401, 429]);
      await from('[2001:db8:7:7::1]:4711');
      expect(figures(await from('2001:DB8:7:7::2')).remaining).toBe(limitOfAddresses - 2);
    });
  });

  describe('X-Forwarded-For', () => {
    test('from a trusted proxy names the client: the last address that is not a trusted proxy', async () => {
      const address = freshAddress();
      const chains = [
        `198.51.100.1, ${address}`,
        `198.51.100.2,${address}, 10.1.2.3`,
        address,
        `${address}, 127.0.0.9`,
      ];
      const statuses = [];
      for (const chain of chains) statuses.push((await from(chain)).status);
      expect(statuses).toEqual([401, 401, 401, 429]);
      expect((await from('198.51.100.1')).status).toBe(401);
    });

    test('from any other client is ignored', async () => {
      const statuses = [];
      for (let time = 0; time <= limitOfAddresses; time += 1) {
        const headers = {
          'x-forwarded-for': freshAddress(),
          forwarded: 'for=192.0.2.1',
          'x-real-ip': '192.0.2.2',
        };
        statuses.push((await send(`${direct.apiUrl}/site`, 'GET', { headers })).status);
      }
      expect(statuses).toEqual([401, 401, 401, 429]);
    });
  });
});
