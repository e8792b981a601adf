import { expect, test } from 'vitest';
import { forOneStore } from '../../test/stores.ts';
import { send, startTestServer } from '../../test/test-server.ts';
import { useTestServer } from '../../test/use-server.ts';

const limit = 1_000;

/**
 * Paths of each part of the server, and how much a request to them without a key counts against the limit of its
 * address.
 */
const paths: Readonly<Record<string, 0 | 1>> = {
  '/': 1,
  '/nothing': 1,
  '/docs': 1,
  '/docs/scalar.js': 0,
  '/help/': 1,
  '/help/assets/nothing.js': 0,
  '/api/v1': 1,
  '/api/v1/openapi.json': 1,
  '/api/v1/members': 1,
  '/api/v1/nothing': 1,
  '/healthz': 0,
  '/readyz': 0,
  '/readyz/writes': 0,
  '/_gatehouse/login': 0,
  '/_gatehouse/nothing': 0,
  '/dashboard/login': 0,
  '/dashboard/nothing': 0,
  '/dashboard/api/me': 1,
  '/dashboard/api/nothing': 1,
};

forOneStore((store) => {
  const server = useTestServer(store);

  test('every part responds with a request ID, security headers and the limit, and counts a request at most once', async () => {
    const { address } = await startTestServer(store, { settings: { rateLimitUnauthenticated: limit } });
    let used = 0;
    for (const [path, cost] of Object.entries(paths)) {
      const { headers } = await send(address + path, 'GET');
      used += cost;
      expect.soft(headers.get('x-request-id'), path).toMatch(/^[0-9a-f-]{36}$/);
      expect.soft(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect.soft(headers.get('x-ratelimit-limit'), path).toBe(String(limit));
      expect.soft(headers.get('x-ratelimit-remaining'), path).toBe(String(cost ? limit - used : limit));
    }
  });

  test('a part parses only the bodies meant for it', async () => {
    const { address } = server;
    const { key } = await server.createSite();
    const statusOf = async (path: string, type: string, body: string) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': type };
      return (await fetch(address + path, { method: 'POST', headers, body, redirect: 'manual' })).status;
    };
    const form = 'application/x-www-form-urlencoded';
    expect(await statusOf('/api/v1/members', form, 'email=a%40example.com')).toBe(415);
    expect(await statusOf('/dashboard/login', 'application/json', '{"email":"a@example.com"}')).toBe(415);
    expect(await statusOf('/dashboard/login', form, 'email=a%40example.com')).toBe(303);
    // Outside of all parts no body is parsed, not even an invalid one.
    expect(await statusOf('/nothing', 'application/json', '{')).toBe(404);
    expect(await statusOf('/api/v1/nothing', 'application/json', '{')).toBe(400);
  });
});
