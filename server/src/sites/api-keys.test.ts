import { defaultPermissions, type Permission } from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { expectAnswer } from '../../test/contract/answers.ts';
import { dumpSite } from '../../test/contract/dump.ts';
import { everyItem, unknownId } from '../../test/contract/given.ts';
import { hour, movableClock, useTestServer } from '../../test/contract/use-server.ts';
import { forEachStore } from '../../test/stores.ts';
import type { TestSite } from '../../test/test-server.ts';

forEachStore((store) => {
  const clock = movableClock();
  const server = useTestServer(store, { clock });

  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
  const inHours = (hours: number) => new Date(clock().getTime() + hours * hour).toISOString();
  const create = async (site: TestSite, values: object = {}) =>
    expectAnswer('createApiKey', await site.post('/api-keys', { name: 'Shop', ...values }), 201).data;
  const statusWith = async (site: TestSite, secret: string) =>
    (await site.get('/site', bearer(secret))).status;

  describe('a key made with a key', () => {
    test('opens the API, and is told this once', async () => {
      const site = await server.createSite();
      const { secret, ...key } = await create(site, { name: '  Shop ', rateLimit: 7, expiresAt: inHours(1) });
      expect(key).toEqual({
        id: expect.any(String),
        name: 'Shop',
        ending: secret.slice(-4),
        permissions: defaultPermissions,
        rateLimit: 7,
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        revokedAt: null,
        replacedBy: null,
      });
      const answer = await site.get('/site', bearer(secret));
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-ratelimit-limit')).toBe('7');
      expect(JSON.stringify(await dumpSite(server.database, site.siteId))).not.toContain(secret);
      const [listed] = await everyItem(site, '/api-keys');
      expect(listed).toEqual(key);
    });

    test('carries what it is given, each permission once', async () => {
      const site = await server.createSite();
      const permissions = ['site:read', 'members:read', 'site:read'];
      const { id, secret, ...key } = await create(site, { permissions });
      expect(key.permissions).toEqual(['site:read', 'members:read']);
      expectAnswer('listEvents', await site.get('/events', bearer(secret)), 403, 'permission_denied');
      const event = (await everyItem(site, '/events?type=key.created')).at(-1);
      expect(event).toMatchObject({
        actor: { type: 'key', id: site.keyId },
        data: { keyId: id, permissions: ['site:read', 'members:read'] },
      });
    });

    test('ends at its time', async () => {
      const site = await server.createSite();
      const { secret } = await create(site, { expiresAt: inHours(1) });
      expect(await statusWith(site, secret)).toBe(200);
      clock.advance(hour);
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
    ])('is refused with %j', async (values, path) => {
      const site = await server.createSite();
      const before = await dumpSite(server.database, site.siteId);
      const answer = await site.post('/api-keys', { name: 'Shop', ...values });
      const { details } = expectAnswer('createApiKey', answer, 400, 'invalid_request');
      expect(details[0].path).toBe(path);
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });
  });

  describe('a caller hands on', () => {
    const caller = async (site: TestSite, ...permissions: Permission[]) =>
      bearer((await site.createKey({ permissions: ['api-keys:write', ...permissions] })).secret);

    test('no permission that it lacks, which the refusal names', async () => {
      const site = await server.createSite();
      const headers = await caller(site, 'members:read');
      const before = await dumpSite(server.database, site.siteId);
      const wanted: Permission[] = ['members:read', 'members:block', 'scim'];
      const given = await site.post('/api-keys', { name: 'Shop', permissions: wanted }, headers);
      const refusal = expectAnswer('createApiKey', given, 403, 'permission_denied');
      expect(refusal.message).toContain('members:block, scim');
      const usual = await site.post('/api-keys', { name: 'Shop' }, headers);
      expect(expectAnswer('createApiKey', usual, 403, 'permission_denied').message).toContain(
        'members:write',
      );
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });

    test('what it carries, and what that brings with it', async () => {
      const site = await server.createSite();
      const headers = await caller(site, 'members:write');
      const permissions: Permission[] = ['members:block', 'login-links:send', 'api-keys:write'];
      const given = await site.post('/api-keys', { name: 'Shop', permissions }, headers);
      expect(expectAnswer('createApiKey', given, 201).data.permissions).toEqual(permissions);
    });

    test('no stronger key by rotating one', async () => {
      const site = await server.createSite();
      const headers = await caller(site, 'members:read');
      const { apiKey } = await site.createKey({ permissions: ['members:read', 'members:write'] });
      const before = await dumpSite(server.database, site.siteId);
      const rotated = await site.post(`/api-keys/${apiKey.id}/rotate`, {}, headers);
      const refusal = expectAnswer('rotateApiKey', rotated, 403, 'permission_denied');
      expect(refusal.message).toContain('members:write');
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });
  });

  describe('rotating a key', () => {
    test('leaves the old one in force for a day, and no longer', async () => {
      const site = await server.createSite();
      const old = await create(site, { rateLimit: 9, permissions: ['site:read', 'scim'] });
      const answer = await site.post(`/api-keys/${old.id}/rotate`, {});
      const { secret, ...key } = expectAnswer('rotateApiKey', answer, 201).data;
      expect(key).toMatchObject({ name: 'Shop', rateLimit: 9, permissions: ['site:read', 'scim'] });
      const [newest, replaced] = await everyItem(site, '/api-keys');
      expect(newest).toEqual(key);
      expect(replaced).toMatchObject({ id: old.id, replacedBy: key.id });
      expect(Date.parse(replaced.expiresAt) - clock().getTime()).toBeGreaterThan(23 * hour);
      clock.advance(23 * hour);
      expect([await statusWith(site, old.secret), await statusWith(site, secret)]).toEqual([200, 200]);
      clock.advance(hour);
      expect([await statusWith(site, old.secret), await statusWith(site, secret)]).toEqual([401, 200]);
    });

    test('ends the old one at once where there is to be no overlap', async () => {
      const site = await server.createSite();
      const old = await create(site);
      expect(await statusWith(site, old.secret)).toBe(200);
      const answer = await site.post(`/api-keys/${old.id}/rotate`, { overlapHours: 0 });
      const { secret } = expectAnswer('rotateApiKey', answer, 201).data;
      expect([await statusWith(site, old.secret), await statusWith(site, secret)]).toEqual([401, 200]);
    });

    test('is refused for one that was replaced, has ended or is unknown', async () => {
      const site = await server.createSite();
      const [replaced, ended] = [await create(site), await create(site)];
      await site.post(`/api-keys/${replaced.id}/rotate`, {});
      await site.delete(`/api-keys/${ended.id}`);
      for (const { id } of [replaced, ended]) {
        const answer = await site.post(`/api-keys/${id}/rotate`, {});
        expectAnswer('rotateApiKey', answer, 409, 'key_not_in_force');
      }
      const unknown = await site.post(`/api-keys/${unknownId()}/rotate`, {});
      expectAnswer('rotateApiKey', unknown, 404, 'key_not_found');
    });
  });

  describe('revoking a key', () => {
    test('ends it at once, and it stays in the list', async () => {
      const site = await server.createSite();
      const { id, secret } = await create(site);
      expect(await statusWith(site, secret)).toBe(200);
      expectAnswer('revokeApiKey', await site.delete(`/api-keys/${id}`), 204);
      expect(await statusWith(site, secret)).toBe(401);
      expect((await everyItem(site, '/api-keys'))[0]).toMatchObject({ id, revokedAt: expect.any(String) });
      expect((await everyItem(site, '/events')).at(-1)).toMatchObject({
        type: 'key.revoked',
        data: { keyId: id },
      });
    });

    test('is refused a second time, and for an unknown key', async () => {
      const site = await server.createSite();
      const { id } = await create(site);
      await site.delete(`/api-keys/${id}`);
      expectAnswer('revokeApiKey', await site.delete(`/api-keys/${id}`), 409, 'key_not_in_force');
      expectAnswer('revokeApiKey', await site.delete(`/api-keys/${unknownId()}`), 404, 'key_not_found');
    });

    test('may be what a key does last', async () => {
      const site = await server.createSite();
      expectAnswer('revokeApiKey', await site.delete(`/api-keys/${site.keyId}`), 204);
      expect(await statusWith(site, site.key)).toBe(401);
    });
  });
});
