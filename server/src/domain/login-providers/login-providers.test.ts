import type { CreateLoginProvider, LoginProvider, Permission } from '@gatehouse/contract';
import { maxLoginProviders } from '@gatehouse/contract/limits';
import { providerCallbackPath } from '@gatehouse/contract/provider-issuers';
import sql from 'sql-template-tag';
import { beforeEach, expect, test } from 'vitest';
import { expectError, expectResponse } from '../../../test/contract/answers.ts';
import { dumpStore } from '../../../test/contract/dump.ts';
import { aDomain, aGroup, aScopeGroup, unknownId } from '../../../test/contract/given.ts';
import { aLoginProvider, loginProviderFields } from '../../../test/contract/ways-in.ts';
import { secretKey } from '../../../test/secret-key.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { newSecretKey, SecretBox } from '../../base/encryption/secret-box.ts';
import { findSiteByHost } from '../sites/visited-hosts.ts';
import { loginProviderSecrets, openLoginProvider } from './login-provider-secrets.ts';
import { findStoredLoginProvider } from './login-providers.ts';
import { ProviderLoginFailed } from './provider-account.ts';

const tenant = '5a3e1f2d-7b64-4c8e-9d10-2f6b8a4c7e91';
const apple = { type: 'apple', teamId: 'A1B2C3D4E5', privateKeyId: 'F6G7H8I9J0' } as const;

forEachStore((store) => {
  const server = useTestServer(store);

  let site: TestSite;
  let headers: Record<string, string>;
  beforeEach(async () => {
    site = await server.createSite();
    headers = await keyWith('login-providers:write', 'login-links:write', 'site:read', 'site:write');
  });

  async function keyWith(...permissions: Permission[]) {
    const { secret } = await site.createKey({ permissions });
    return { authorization: `Bearer ${secret}` };
  }

  const create = (values: Partial<CreateLoginProvider> = {}) =>
    site.post('/login-providers', loginProviderFields(values), headers);
  const created = async (values: Partial<CreateLoginProvider> = {}): Promise<LoginProvider> =>
    expectResponse('createLoginProvider', await create(values), 201).data;
  const update = (id: string, changes: object) => site.patch(`/login-providers/${id}`, changes, headers);
  const list = async (): Promise<LoginProvider[]> =>
    expectResponse('listLoginProviders', await site.get('/login-providers'), 200).data;
  const eventsOf = async (type: string) =>
    (await site.get(`/events?type=${type}`)).body.data.map(({ data }: { data: unknown }) => data);
  /** The provider with its secret. */
  async function connected(secrets: SecretBox, id: string) {
    const view = { db: server.database, siteId: site.siteId };
    return openLoginProvider(secrets, site.siteId, await findStoredLoginProvider(view, id));
  }

  test('a provider has no effect until it is enabled, and the redirect URI is that of site and issuer', async () => {
    const provider = await created({ name: '  Club account ', clientId: ' gatehouse ' });
    expect(provider).toMatchObject({
      name: 'Club account',
      clientId: 'gatehouse',
      enabled: false,
      emailTrust: 'claim',
      groupsClaim: null,
      groupMap: [],
      tenant: null,
      redirectUri: null,
    });
    const domain = await aDomain(site);
    const read = await site.get(`/login-providers/${provider.id}`);
    expect(expectResponse('getLoginProvider', read, 200).data.redirectUri).toBe(
      `https://${domain}${providerCallbackPath(provider.issuer)}`,
    );
  });

  test('providers are listed in the order in which they were created', async () => {
    const names = ['First', 'Second', 'Third'];
    for (const name of names) await created({ name });
    expect((await list()).map(({ name }) => name)).toEqual(names);
  });

  test('a secret is stored encrypted, and in no response, event or list', async () => {
    const secret = 'hush-1e9c0a';
    const answer = await create({ secret });
    const { id } = expectResponse('createLoginProvider', answer, 201).data;
    const next = 'hush-2f8d1b';
    const changed = await update(id, { secret: next });
    expectResponse('updateLoginProvider', changed, 200);
    const texts = [answer.text, changed.text, (await site.get('/login-providers')).text];
    texts.push((await site.get('/events')).text, JSON.stringify(await dumpStore(server.database)));
    for (const text of texts) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(next);
    }
    const provider = await connected(new SecretBox([secretKey]), id);
    expect(provider).toMatchObject({ secret: next, siteId: site.siteId });
    expect(await eventsOf('login-provider.updated')).toEqual([
      { providerId: id, name: 'Club account', changes: [{ field: 'secret', from: null, to: null }] },
    ]);
  });

  test('a secret is sealed with a new key, and cannot be moved to another provider', async () => {
    const { id } = await created({ secret: 'hush' });
    const other = await created({ secret: 'other' });
    const [newer, old] = [newSecretKey(), secretKey];
    await server.database.transaction((tx) =>
      loginProviderSecrets.renew({ db: tx, siteId: site.siteId }, new SecretBox([newer, old])),
    );
    const newBox = new SecretBox([newer]);
    expect(await connected(newBox, id)).toMatchObject({ secret: 'hush' });
    const unreadable = connected(new SecretBox([old]), id);
    await expect(unreadable).rejects.toThrow(ProviderLoginFailed);
    await server.database.transaction((tx) =>
      tx.run(sql`
        UPDATE login_providers SET sealed_secret = (
          SELECT moved.sealed_secret FROM login_providers moved
          WHERE moved.site_id = ${site.siteId} AND moved.id = ${other.id}
        ) WHERE site_id = ${site.siteId} AND id = ${id}`),
    );
    await expect(connected(newBox, id)).rejects.toThrow(ProviderLoginFailed);
  });

  test.each([
    ['login-providers:write', 'login-links:write'],
    ['login-links:write', 'login-providers:write'],
  ] as const)('with %s alone, no provider can be made, changed, tested or deleted', async (alone, other) => {
    const { id } = await created();
    const limited = await keyWith(alone, 'site:read', 'site:write');
    const answers = [
      ['createLoginProvider', await site.post('/login-providers', loginProviderFields(), limited)],
      ['updateLoginProvider', await site.patch(`/login-providers/${id}`, { name: 'X' }, limited)],
      ['testLoginProvider', await site.request('POST', `/login-providers/${id}/test`, { headers: limited })],
      ['deleteLoginProvider', await site.delete(`/login-providers/${id}`, limited)],
    ] as const;
    for (const [operation, answer] of answers) {
      expect(expectResponse(operation, answer, 403, 'permission_denied').message).toContain(other);
    }
    expect(await list()).toHaveLength(1);
  });

  test('a site has each issuer once, and other sites may have it too', async () => {
    const issuer = 'https://id.example.org/realms/club';
    const first = await created({ issuer });
    expectResponse('createLoginProvider', await create({ issuer }), 409, 'login_provider_issuer_taken');
    expect(await list()).toEqual([first]);
    await created({ type: 'google' });
    const again = await create({ type: 'google' });
    expectResponse('createLoginProvider', again, 409, 'login_provider_issuer_taken');
    await aLoginProvider(await server.createSite(), { issuer });
  });

  test('of many that are created at once with one issuer, one is', async () => {
    const issuer = 'https://id.example.org';
    const answers = await Promise.all(Array.from({ length: 6 }, () => create({ issuer })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
    expect(await list()).toHaveLength(1);
  });

  test(`a site has at most ${maxLoginProviders} providers`, async () => {
    for (let index = 1; index < maxLoginProviders; index += 1) await created();
    const answers = await Promise.all([create(), create()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expectResponse('createLoginProvider', await create(), 409, 'too_many_login_providers');
    expect(await list()).toHaveLength(maxLoginProviders);
  });

  test('type, issuer and tenant never change', async () => {
    const before = await created({ type: 'microsoft', tenant });
    for (const changes of [{ type: 'oidc' }, { issuer: 'https://id.example.org' }, { tenant: unknownId() }]) {
      expectResponse('updateLoginProvider', await update(before.id, changes), 400, 'invalid_request');
    }
    expect(await list()).toEqual([before]);
  });

  test.each([
    [{ type: 'google' }, 'https://accounts.google.com'],
    [{ type: 'github' }, 'https://github.com'],
    [apple, 'https://appleid.apple.com'],
    [{ type: 'microsoft', tenant: tenant.toUpperCase() }, `https://login.microsoftonline.com/${tenant}/v2.0`],
  ] as const)('the issuer of %o is %s', async (values, issuer) => {
    expect(await created(values)).toMatchObject({ type: values.type, issuer });
  });

  test.each([
    ['Microsoft without a tenant', { type: 'microsoft' }, '/tenant'],
    ['Microsoft for every directory', { type: 'microsoft', tenant: 'common' }, '/tenant'],
    ['Microsoft with an issuer', { type: 'microsoft', tenant, issuer: 'https://id.example.org' }, '/issuer'],
    ['Google with an issuer', { type: 'google', issuer: 'https://id.example.org' }, '/issuer'],
    ['Google with a tenant', { type: 'google', tenant }, '/tenant'],
    ['Apple without a team', { ...apple, teamId: undefined }, '/teamId'],
    ['Apple without a key', { ...apple, privateKeyId: undefined }, '/privateKeyId'],
    ['a team of another type', { teamId: 'A1B2C3D4E5' }, '/teamId'],
    ['OpenID Connect without an issuer', { issuer: undefined }, '/issuer'],
    ['an issuer with a query', { issuer: 'https://id.example.org/?a=b' }, '/issuer'],
    ['an issuer with a fragment', { issuer: 'https://id.example.org/#a' }, '/issuer'],
    ['an issuer that is no URL', { issuer: 'id.example.org' }, '/issuer'],
    ['an issuer of a script', { issuer: 'javascript:alert(1)' }, '/issuer'],
    ['an issuer with a password', { issuer: 'https://a:b@id.example.org' }, '/issuer'],
    ['an issuer in a private network', { issuer: 'https://10.0.0.1' }, '/issuer'],
    ['an issuer at the metadata of a cloud', { issuer: 'http://169.254.169.254/latest' }, '/issuer'],
    ['an issuer in IPv6 with an embedded address', { issuer: 'https://[::ffff:10.0.0.1]' }, '/issuer'],
    ['Google that is always trusted', { type: 'google', emailTrust: 'always' }, '/emailTrust'],
    ['GitHub that is always trusted', { type: 'github', emailTrust: 'always' }, '/emailTrust'],
    ['Apple that is always trusted', { ...apple, emailTrust: 'always' }, '/emailTrust'],
    ['Microsoft that is always trusted', { type: 'microsoft', tenant, emailTrust: 'always' }, '/emailTrust'],
    ['GitHub with a claim', { type: 'github', groupsClaim: 'groups' }, '/groupsClaim'],
    ['a name of two lines', { name: 'Club\naccount' }, '/name'],
  ] as const)('%s is refused', async (_, values, pointer) => {
    const answer = await create(values as Partial<CreateLoginProvider>);
    expectResponse('createLoginProvider', answer, 400, 'invalid_request');
    expect(JSON.stringify(answer.body.error)).toContain(pointer);
    expect(await list()).toEqual([]);
  });

  test('only a provider with OpenID Connect can later be trusted always', async () => {
    const [own, google] = [await created(), await created({ type: 'google' })];
    expectResponse('updateLoginProvider', await update(own.id, { emailTrust: 'always' }), 200);
    const refused = await update(google.id, { emailTrust: 'always' });
    expectResponse('updateLoginProvider', refused, 400, 'invalid_request');
  });

  test('the fields of Apple can be changed, and no other provider gets them', async () => {
    const [own, other] = [await created(apple), await created()];
    const changes = { teamId: 'Z9Y8X7W6V5', privateKeyId: 'U4T3S2R1Q0' };
    expect(expectResponse('updateLoginProvider', await update(own.id, changes), 200).data).toMatchObject(
      changes,
    );
    expectResponse('updateLoginProvider', await update(other.id, changes), 400, 'invalid_request');
  });

  test('groups of a claim are custom groups of the site', async () => {
    const [group, scope] = [await aGroup(site), await aScopeGroup(server, site)];
    const mapped = (accessGroupId: string) => ({ groupMap: [{ value: 'rowers', accessGroupId }] });
    const { id } = await created({ groupsClaim: 'groups', ...mapped(group.id) });
    expectResponse('createLoginProvider', await create(mapped(scope.id)), 403, 'scope_group_read_only');
    expectResponse('updateLoginProvider', await update(id, mapped(scope.id)), 403, 'scope_group_read_only');
    expectResponse(
      'updateLoginProvider',
      await update(id, mapped(unknownId())),
      404,
      'access_group_not_found',
    );
    expect((await list())[0]!.groupMap).toEqual(mapped(group.id).groupMap);
  });

  test('a provider can be changed after a group of its claim was deleted', async () => {
    const { id } = await aGroup(site);
    const provider = await created({
      groupsClaim: 'groups',
      groupMap: [{ value: 'rowers', accessGroupId: id }],
    });
    expectResponse('deleteAccessGroup', await site.delete(`/access-groups/${id}`), 204);
    const { groupMap, enabled } = expectResponse(
      'updateLoginProvider',
      await update(provider.id, { enabled: true }),
      200,
    ).data;
    expect({ groupMap, enabled }).toEqual({ groupMap: provider.groupMap, enabled: true });
    const again = await update(provider.id, { groupMap: provider.groupMap });
    expectResponse('updateLoginProvider', again, 404, 'access_group_not_found');
  });

  test('events say what was changed', async () => {
    const { id, name, issuer } = await created();
    await update(id, { name: 'Club', enabled: true });
    await update(id, { name: 'Club', enabled: true });
    await site.delete(`/login-providers/${id}`, headers);
    expect(await eventsOf('login-provider.created')).toEqual([{ providerId: id, name, issuer }]);
    const changes = [
      { field: 'name', from: name, to: 'Club' },
      { field: 'enabled', from: false, to: true },
    ];
    expect(await eventsOf('login-provider.updated')).toEqual([{ providerId: id, name: 'Club', changes }]);
    expect(await eventsOf('login-provider.deleted')).toEqual([{ providerId: id, name: 'Club' }]);
  });

  test('a site knows whether it has a provider', async () => {
    const domain = await aDomain(site);
    const uses = async () => (await findSiteByHost(server.database, domain))!.hasLoginProviders;
    expect(await uses()).toBe(false);
    const { id } = await created();
    expect(await uses()).toBe(true);
    await site.patch('/site', { title: 'Rowing club' });
    expect(await uses()).toBe(true);
    await update(id, { enabled: true });
    await update(id, { enabled: false });
    expect(await uses()).toBe(true);
    await site.delete(`/login-providers/${id}`, headers);
    expect(await uses()).toBe(false);
    expect(expectResponse('getSite', await site.get('/site'), 200).data).not.toHaveProperty(
      'hasLoginProviders',
    );
  });

  test('a change of what somebody else has changed meanwhile is refused', async () => {
    const { id } = await created();
    const { headers: read } = await site.get(`/login-providers/${id}`);
    const condition = { ...headers, 'if-match': read.get('etag')! };
    await update(id, { name: 'Club' });
    expectError(
      await site.patch(`/login-providers/${id}`, { name: 'X' }, condition),
      412,
      'precondition_failed',
    );
    expectError(await site.delete(`/login-providers/${id}`, condition), 412, 'precondition_failed');
    expect((await list())[0]!.name).toBe('Club');
  });

  test('a deleted provider is gone, also for a login that has begun', async () => {
    const { id } = await created({ enabled: true });
    expectResponse('deleteLoginProvider', await site.delete(`/login-providers/${id}`, headers), 204);
    expect(await list()).toEqual([]);
    const path = `/login-providers/${id}`;
    const finding = connected(new SecretBox([secretKey]), id);
    await expect(finding).rejects.toMatchObject({ code: 'login_provider_not_found' });
    expectResponse('getLoginProvider', await site.get(path), 404, 'login_provider_not_found');
    expectResponse('updateLoginProvider', await update(id, { name: 'X' }), 404, 'login_provider_not_found');
    expectResponse('deleteLoginProvider', await site.delete(path, headers), 404, 'login_provider_not_found');
  });
});
