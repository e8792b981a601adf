import { describe, expect, test } from 'vitest';
import { apiError, type Reaction, startScriptedServer } from '../../test/scripted-server.ts';
import { Gatehouse } from '../index.ts';

const memberId = '01980a3e-7c1b-7d42-9f3a-2b6c4d5e6f70';
const sessionId = '01980a3e-7c1b-7d42-9f3a-2b6c4d5e6f71';
const noContent: Reaction = { status: 204 };
const unavailable = apiError(503, 'unavailable');

async function start(...reactions: [Reaction, ...Reaction[]]) {
  const { url, requests } = await startScriptedServer(...reactions);
  return { gatehouse: new Gatehouse({ url, key: 'gate_test', wait: async () => {} }), requests };
}

const answered = (data: unknown): Reaction => ({ status: 200, body: { data } });

describe('the sessions of a member', () => {
  test('are listed page by page', async () => {
    const page = (id: string, nextCursor: string | null): Reaction => ({
      status: 200,
      body: { data: [{ id }], pagination: { hasMore: nextCursor !== null, nextCursor } },
    });
    const { gatehouse, requests } = await start(page('1', 'next'), page('2', null));
    const seen = [];
    for await (const session of gatehouse.members.sessions.list(memberId, { limit: 1 }))
      seen.push(session.id);
    expect(seen).toEqual(['1', '2']);
    expect(requests.map(({ path }) => path)).toEqual([
      `/api/v1/members/${memberId}/sessions?limit=1`,
      `/api/v1/members/${memberId}/sessions?limit=1&after=next`,
    ]);
  });

  test('are revoked one by one and all together', async () => {
    const { gatehouse, requests } = await start(noContent);
    await gatehouse.members.sessions.revoke(memberId, sessionId);
    await gatehouse.members.sessions.revokeAll(memberId);
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `DELETE /api/v1/members/${memberId}/sessions/${sessionId}`,
      `DELETE /api/v1/members/${memberId}/sessions`,
    ]);
  });

  test('an empty id does not revoke all of them', async () => {
    const { gatehouse, requests } = await start(noContent);
    await expect(gatehouse.members.sessions.revoke(memberId, '')).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(requests).toEqual([]);
  });
});

test('a login link is created only once, however many attempts there are', async () => {
  const { gatehouse, requests } = await start(unavailable, answered({ url: 'https://example.com/link' }));
  const link = await gatehouse.members.loginLinks.create(memberId, { send: false, next: '/courses' });
  expect(link.url).toBe('https://example.com/link');
  expect(requests.map(({ path }) => path)).toEqual(Array(2).fill(`/api/v1/members/${memberId}/login-links`));
  expect(JSON.parse(requests[0]!.body)).toEqual({ send: false, next: '/courses' });
  expect(requests[0]!.headers['idempotency-key']).toBe(requests[1]!.headers['idempotency-key']);
  expect(requests[0]!.headers['idempotency-key']).toMatch(/^"[0-9a-f-]{36}"$/);
});

describe('checking', () => {
  const checks = {
    'who a visitor is': (gatehouse: Gatehouse) =>
      gatehouse.sessions.verify({ token: 'secret', path: '/courses?a=b' }),
    'access to a path': (gatehouse: Gatehouse) => gatehouse.access.check([{ memberId, path: '/courses' }]),
  };
  for (const [name, verify] of Object.entries(checks)) {
    test(`${name} is repeated after any temporary error, without an idempotency key`, async () => {
      const { gatehouse, requests } = await start('drop the connection', unavailable, answered([]));
      expect(await verify(gatehouse)).toEqual([]);
      expect(requests).toHaveLength(3);
      expect(requests.filter(({ headers }) => 'idempotency-key' in headers)).toEqual([]);
    });
  }

  test('sends the checks unchanged', async () => {
    const { gatehouse, requests } = await start(answered([]));
    for (const verify of Object.values(checks)) await verify(gatehouse);
    expect(requests.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
      ['/api/v1/sessions/verify', { token: 'secret', path: '/courses?a=b' }],
      ['/api/v1/access-checks', { checks: [{ memberId, path: '/courses' }] }],
    ]);
  });
});

describe('access rules', () => {
  test('are replaced only in the version that was read', async () => {
    const rules = [{ path: '/', access: 'public' }] as const;
    const reaction: Reaction = { ...(answered({ rules }) as object), status: 200, headers: { etag: '"1"' } };
    const { gatehouse, requests } = await start(reaction);
    const { data, response } = await gatehouse.accessRules.get().withResponse();
    await gatehouse.accessRules.replace(data.rules, { ifMatch: response.etag });
    expect(requests[1]).toMatchObject({
      method: 'PUT',
      path: '/api/v1/access-rules',
      headers: { 'if-match': '"1"' },
      body: JSON.stringify({ rules }),
    });
  });

  test('are not sent again if the response is lost', async () => {
    const { gatehouse, requests } = await start('drop the connection', answered({ rules: [] }));
    await expect(gatehouse.accessRules.replace([])).rejects.toMatchObject({ code: 'network_error' });
    expect(requests).toHaveLength(1);
  });
});
