import { defaultPermissions, type Permission, permissions } from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { dumpSite } from '../../../test/contract/dump.ts';
import { everyItem, unknownId } from '../../../test/contract/given.ts';
import { hour, movableTime } from '../../../test/movable-time.ts';
import { anOperator, moveLogin } from '../../../test/operator.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock });

  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
  const inHours = (hours: number) => new Date(clock().getTime() + hours * hour).toISOString();
  const create = async (site: TestSite, values: object = {}) =>
    expectResponse('createApiKey', await site.post('/api-keys', { name: 'Shop', ...values }), 201).data;
  const statusWith = async (site: TestSite, secret: string) =>
    (await site.get('/site', bearer(secret))).status;

  describe('a key created with a key', () => {
    test('gives access to the API, and its secret is shown only once', async () => {
      const site = await server.createSite();
      const { secret, ...key } = await create(site, { name: '  Shop ', rateLimit: 7, expiresAt: inHours(1) });
      expect(key).toEqual({
        id: expect.any(String),
        name: 'Shop',
        last4: secret.slice(-4),
        permissions: defaultPermissions,
        rateLimit: 7,
        createdAt: expect.any(String),
        lastUsedAt: null,
        expiresAt: expect.any(String),
        revokedAt: null,
        replacedBy: null,
      });
      const answer = await site.get('/site', bearer(secret));
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-ratelimit-limit')).toBe('7');
      expect(JSON.stringify(await dumpSite(server.database, site.siteId))).not.toContain(secret);
      const listed = (await everyItem(site, '/api-keys')).find(({ id }) => id === key.id);
      expect({ ...listed, lastUsedAt: null }).toEqual(key);
    });

    test('has the given permissions, each once', async () => {
      const site = await server.createSite();
      const permissions = ['site:read', 'members:read', 'site:read'];
      const { id, secret, ...key } = await create(site, { permissions });
      expect(key.permissions).toEqual(['site:read', 'members:read']);
      expectResponse('listEvents', await site.get('/events', bearer(secret)), 403, 'permission_denied');
      const event = (await everyItem(site, '/events?type=api-key.created')).at(-1);
      expect(event).toMatchObject({
        actor: { type: 'key', id: site.keyId },
        data: { keyId: id, permissions: ['site:read', 'members:read'] },
      });
    });

    test('expires at the given time', async () => {
      const site = await server.createSite();
      const { secret } = await create(site, { expiresAt: inHours(1) });
      expect(await statusWith(site, secret)).toBe(200);
      advance(hour);
      expect(await statusWith(site, secret)).toBe(401);
    });

    test.each([
      [{ name: '   ' }, '/name'],
      [{ name: 'n'.repeat(101) }, '/name'],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
      [{ expiresAt: '2099-02-30T25:00:00Z' }, '/expiresAt'],
      [{ permissions: [] }, '/permissions'],
      [{ permissions: ['members:eat'] }, '/permissions/0'],
      [{ rateLimit: -1 }, '/rateLimit'],
    ])('is rejected with %j', async (values, path) => {
      const site = await server.createSite();
      const before = await dumpSite(server.database, site.siteId);
      const answer = await site.post('/api-keys', { name: 'Shop', ...values });
      const { details } = expectResponse('createApiKey', answer, 400, 'invalid_request');
      expect(details[0].path).toBe(path);
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });
  });

  describe('a caller can grant', () => {
    const caller = async (site: TestSite, ...permissions: Permission[]) =>
      bearer((await site.createKey({ permissions: ['api-keys:write', ...permissions] })).secret);

    test('no permission that it lacks, which the error names', async () => {
      const site = await server.createSite();
      const headers = await caller(site, 'members:read');
      const before = await dumpSite(server.database, site.siteId);
      const wanted: Permission[] = ['members:read', 'members:block', 'emails:read'];
      const given = await site.post('/api-keys', { name: 'Shop', permissions: wanted }, headers);
      const apiError = expectResponse('createApiKey', given, 403, 'permission_denied');
      expect(apiError.message).toContain('members:block, emails:read');
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });

    test('its own permissions, and those they include', async () => {
      const site = await server.createSite();
      const headers = await caller(site, 'members:write');
      const permissions: Permission[] = ['members:block', 'login-links:send', 'api-keys:write'];
      const given = await site.post('/api-keys', { name: 'Shop', permissions }, headers);
      expect(expectResponse('createApiKey', given, 201).data.permissions).toEqual(permissions);
    });

    test('by default no more than its own permissions', async () => {
      const site = await server.createSite();
      const permissionsOf = async (...permissions: Permission[]) => {
        const made = await site.post('/api-keys', { name: 'Shop' }, await caller(site, ...permissions));
        return expectResponse('createApiKey', made, 201).data.permissions;
      };
      expect(await permissionsOf('members:read', 'emails:read')).toEqual(['members:read']);
      expect(await permissionsOf()).toEqual(['api-keys:write']);
    });

    test('no stronger key by rotating one', async () => {
      const site = await server.createSite();
      const headers = await caller(site, 'members:read');
      const { apiKey } = await site.createKey({ permissions: ['members:read', 'members:write'] });
      const before = await dumpSite(server.database, site.siteId);
      const rotated = await site.post(`/api-keys/${apiKey.id}/rotate`, {}, headers);
      const apiError = expectResponse('rotateApiKey', rotated, 403, 'permission_denied');
      expect(apiError.message).toContain('members:write');
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });
  });

  describe('a key that creates keys', () => {
    const limited = async (site: TestSite, values: object = {}) => {
      const permissions: Permission[] = ['api-keys:write', 'members:read', 'site:read'];
      return create(site, { permissions, rateLimit: 10, expiresAt: inHours(2), ...values });
    };
    const make = (site: TestSite, secret: string, values: object = {}) =>
      site.post('/api-keys', { name: 'Child', permissions: ['members:read'], ...values }, bearer(secret));

    test('passes on its expiry and rate limit by default', async () => {
      const site = await server.createSite();
      const { secret, expiresAt } = await limited(site);
      const child = expectResponse('createApiKey', await make(site, secret), 201).data;
      expect(child).toMatchObject({ expiresAt, rateLimit: 10 });
      const unlimited = await limited(site, { rateLimit: null, expiresAt: null });
      const free = expectResponse('createApiKey', await make(site, unlimited.secret), 201).data;
      expect(free).toMatchObject({ expiresAt: null, rateLimit: null });
    });

    test.each([
      ['no expiry', () => ({ expiresAt: null }), 'expires too early'],
      ['a later expiry', () => ({ expiresAt: inHours(3) }), 'expires too early'],
      ['no limit', () => ({ rateLimit: 0 }), 'rate limit of your API key is too low'],
      ['the limit of the service', () => ({ rateLimit: null }), 'rate limit of your API key is too low'],
      ['a higher limit', () => ({ rateLimit: 11 }), 'rate limit of your API key is too low'],
    ])('cannot create a key that exceeds its own limits: %s', async (_, values, reason) => {
      const site = await server.createSite();
      const { secret } = await limited(site);
      const before = await dumpSite(server.database, site.siteId);
      const answer = await make(site, secret, values());
      expect(expectResponse('createApiKey', answer, 403, 'permission_denied').message).toContain(reason);
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
      const less = await make(site, secret, { expiresAt: inHours(1), rateLimit: 9 });
      expect(expectResponse('createApiKey', less, 201).data).toMatchObject({ rateLimit: 9 });
    });

    test.each([
      ['no expiry', () => ({ expiresAt: null })],
      ['a later expiry', () => ({ expiresAt: inHours(3) })],
      ['no limit', () => ({ rateLimit: 0 })],
      ['a higher limit', () => ({ rateLimit: 11 })],
    ])('can neither rotate nor revoke a key with %s', async (_, values) => {
      const site = await server.createSite();
      const { secret } = await limited(site);
      const target = await limited(site, values());
      const before = await dumpSite(server.database, site.siteId);
      const rotated = await site.post(`/api-keys/${target.id}/rotate`, {}, bearer(secret));
      expectResponse('rotateApiKey', rotated, 403, 'permission_denied');
      const revoked = await site.delete(`/api-keys/${target.id}`, bearer(secret));
      expectResponse('revokeApiKey', revoked, 403, 'permission_denied');
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });

    test('is limited by an expiry that was set a moment ago', async () => {
      const site = await server.createSite();
      const { id, secret } = await limited(site, { expiresAt: null });
      expectResponse('rotateApiKey', await site.post(`/api-keys/${id}/rotate`, {}, bearer(secret)), 201);
      expectResponse('createApiKey', await make(site, secret, { expiresAt: null }), 403, 'permission_denied');
      const child = expectResponse('createApiKey', await make(site, secret), 201).data;
      expect(Date.parse(child.expiresAt) - clock().getTime()).toBeLessThanOrEqual(24 * hour);
    });

    test('leaves no key that outlives it, even when creating and rotating run concurrently', async () => {
      const site = await server.createSite();
      const { id, secret } = await limited(site, { expiresAt: null, rateLimit: null });
      const makeMany = () => Array.from({ length: 8 }, () => make(site, secret));
      const rotate = site.post(`/api-keys/${id}/rotate`, { overlapHours: 1 }, bearer(secret));
      const made = await Promise.all([...makeMany(), rotate, ...makeMany()]);
      expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
      const events = await everyItem(site, '/events');
      const rotation = events.findIndex(({ type }) => type === 'api-key.rotated');
      const later = events.slice(rotation + 1);
      expect(later.map(({ data }) => data.expiresAt)).toEqual(
        later.map(() => events[rotation].data.expiresAt),
      );
    });

    test('can rotate itself, up to its own expiry', async () => {
      const site = await server.createSite();
      const { id, secret, expiresAt } = await limited(site);
      const answer = await site.post(`/api-keys/${id}/rotate`, {}, bearer(secret));
      expect(expectResponse('rotateApiKey', answer, 201).data).toMatchObject({ expiresAt, rateLimit: 10 });
    });
  });

  test('a key with an expiry or a low limit cannot invite, change or remove operators', async () => {
    const site = await server.createSite();
    const operatorId = await site.createOperator('viewer');
    const before = await site.get('/operators');
    for (const values of [{ expiresAt: inHours(1) }, { rateLimit: 10 }]) {
      const { secret } = await site.createKey({ permissions, ...values });
      const invited = await site.post(
        '/operators',
        { email: 'mallory@example.com', role: 'viewer' },
        bearer(secret),
      );
      expectResponse('inviteOperator', invited, 403, 'permission_denied');
      const changed = await site.patch(`/operators/${operatorId}`, { role: 'support' }, bearer(secret));
      expectResponse('updateOperator', changed, 403, 'permission_denied');
      const removed = await site.delete(`/operators/${operatorId}`, bearer(secret));
      expectResponse('removeOperator', removed, 403, 'permission_denied');
    }
    expect((await site.get('/operators')).body).toEqual(before.body);
  });

  test('an operator is limited only by the permissions of the role', async () => {
    const site = await server.createSite();
    const admin = await anOperator(server, site.siteId, 'admin');
    // The clock of the server is ahead, and a key needs a recent login.
    await moveLogin(server, admin, Date.now() - clock().getTime());
    const headers = { authorization: `Bearer ${await admin.browser.token(site.siteId)}` };
    const made = await site.post('/api-keys', { name: 'Gate', rateLimit: 0, expiresAt: null }, headers);
    const gate = expectResponse('createApiKey', made, 201).data;
    expect(gate).toMatchObject({ rateLimit: 0, expiresAt: null, permissions: defaultPermissions });
    const strong = await create(site, { permissions: ['operators:write'] });
    const revoked = await site.delete(`/api-keys/${strong.id}`, headers);
    const apiError = expectResponse('revokeApiKey', revoked, 403, 'permission_denied');
    expect(apiError.message).toContain('operators:write');
    expectResponse('revokeApiKey', await site.delete(`/api-keys/${gate.id}`, headers), 204);
  });

  describe('rotating a key', () => {
    test('keeps the old key valid for a day', async () => {
      const site = await server.createSite();
      const old = await create(site, { rateLimit: 9, permissions: ['site:read', 'emails:read'] });
      const answer = await site.post(`/api-keys/${old.id}/rotate`, {});
      const { secret, ...key } = expectResponse('rotateApiKey', answer, 201).data;
      expect(key).toMatchObject({ name: 'Shop', rateLimit: 9, permissions: ['site:read', 'emails:read'] });
      const keys = await everyItem(site, '/api-keys');
      expect(keys[0]).toEqual(key);
      // The key of the site may have been created in the same millisecond.
      const replaced = keys.find(({ id }) => id === old.id);
      expect(replaced).toMatchObject({ replacedBy: key.id });
      expect(Date.parse(replaced.expiresAt) - clock().getTime()).toBeGreaterThan(23 * hour);
      advance(23 * hour);
      expect([await statusWith(site, old.secret), await statusWith(site, secret)]).toEqual([200, 200]);
      advance(hour);
      expect([await statusWith(site, old.secret), await statusWith(site, secret)]).toEqual([401, 200]);
    });

    test('ends the old key immediately without an overlap', async () => {
      const site = await server.createSite();
      const old = await create(site);
      expect(await statusWith(site, old.secret)).toBe(200);
      const answer = await site.post(`/api-keys/${old.id}/rotate`, { overlapHours: 0 });
      const { secret } = expectResponse('rotateApiKey', answer, 201).data;
      expect([await statusWith(site, old.secret), await statusWith(site, secret)]).toEqual([401, 200]);
    });

    test('is rejected for a key that was replaced, has expired or is unknown', async () => {
      const site = await server.createSite();
      const [replaced, ended] = [await create(site), await create(site)];
      await site.post(`/api-keys/${replaced.id}/rotate`, {});
      await site.delete(`/api-keys/${ended.id}`);
      for (const { id } of [replaced, ended]) {
        const answer = await site.post(`/api-keys/${id}/rotate`, {});
        expectResponse('rotateApiKey', answer, 409, 'key_not_in_force');
      }
      const unknown = await site.post(`/api-keys/${unknownId()}/rotate`, {});
      expectResponse('rotateApiKey', unknown, 404, 'key_not_found');
    });
  });

  describe('revoking a key', () => {
    test('ends it immediately, and keeps it in the list', async () => {
      const site = await server.createSite();
      const { id, secret } = await create(site);
      expect(await statusWith(site, secret)).toBe(200);
      expectResponse('revokeApiKey', await site.delete(`/api-keys/${id}`), 204);
      expect(await statusWith(site, secret)).toBe(401);
      const listed = (await everyItem(site, '/api-keys')).find((key) => key.id === id);
      expect(listed).toMatchObject({ revokedAt: expect.any(String) });
      expect((await everyItem(site, '/events')).at(-1)).toMatchObject({
        type: 'api-key.revoked',
        data: { keyId: id },
      });
    });

    test('is rejected a second time, and for an unknown key', async () => {
      const site = await server.createSite();
      const { id } = await create(site);
      await site.delete(`/api-keys/${id}`);
      expectResponse('revokeApiKey', await site.delete(`/api-keys/${id}`), 409, 'key_not_in_force');
      expectResponse('revokeApiKey', await site.delete(`/api-keys/${unknownId()}`), 404, 'key_not_found');
    });

    test('with a permission that the caller lacks is rejected', async () => {
      const site = await server.createSite();
      const weak = await site.createKey({ permissions: ['api-keys:write', 'members:read'] });
      const strong = await site.createKey({ permissions: ['members:read', 'site:write'] });
      const answer = await site.delete(`/api-keys/${strong.apiKey.id}`, bearer(weak.secret));
      const apiError = expectResponse('revokeApiKey', answer, 403, 'permission_denied');
      expect(apiError.message).toContain('site:write');
      const equal = await site.createKey({ permissions: ['members:read'] });
      const allowed = await site.delete(`/api-keys/${equal.apiKey.id}`, bearer(weak.secret));
      expectResponse('revokeApiKey', allowed, 204);
    });

    test('is allowed to any key for itself, whatever its permissions', async () => {
      const site = await server.createSite();
      expectResponse('revokeApiKey', await site.delete(`/api-keys/${site.keyId}`), 204);
      expect(await statusWith(site, site.key)).toBe(401);
      const { apiKey, secret } = await site.createKey({ permissions: ['site:read'] });
      const other = await site.createKey({ permissions: ['site:read'] });
      const another = await site.delete(`/api-keys/${other.apiKey.id}`, bearer(secret));
      expectResponse('revokeApiKey', another, 403, 'permission_denied');
      const own = await site.delete(`/api-keys/${apiKey.id.toUpperCase()}`, bearer(secret));
      expectResponse('revokeApiKey', own, 204);
      expect(await statusWith(site, secret)).toBe(401);
    });
  });
});
