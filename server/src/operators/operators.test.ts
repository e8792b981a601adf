import { randomUUID } from 'node:crypto';
import { grants, type Operation, operations, rolePermissions } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { expectAnswer, expectError } from '../../test/contract/answers.ts';
import { aMember } from '../../test/contract/given.ts';
import { operationsWithKey, readyRequest } from '../../test/contract/requests.ts';
import { movableClock, useTestServer } from '../../test/contract/use-server.ts';
import { anOperator, everyRole, realmOfOperators, type TestOperator } from '../../test/operator.ts';
import { forEachStore } from '../../test/stores.ts';
import { send, type TestSite } from '../../test/test-server.ts';
import { systemCause } from '../base/cause.ts';
import { updateMember } from '../members/members.ts';
import { createSite } from '../sites/sites.ts';
import { operatorTokenMinutes } from './operator.ts';
import { deleteRole, updateRole } from './operator-store.ts';

forEachStore((store) => {
  const clock = movableClock();
  const server = useTestServer(store, { clock });

  /** What the token of an operator is answered, here and now. */
  const use = (token: string, path = '/site') =>
    send(server.apiUrl + path, 'GET', { headers: { authorization: `Bearer ${token}` } });

  describe.each(everyRole)('the role %s', (role) => {
    test.each(operationsWithKey)('may do %s exactly where the table says', async (operationId) => {
      const site = await server.createSite();
      const { browser } = await anOperator(server, site.siteId, role);
      const { method, path, body } = await readyRequest(operationId, site);
      const { permission, success }: Operation = operations[operationId];
      const answer = await browser.api(site.siteId, method, path, body);
      if (grants(rolePermissions[role], permission!)) expectAnswer(operationId, answer, success.status);
      else expectAnswer(operationId, answer, 403, 'permission_denied');
    });
  });

  describe('the token of an operator', () => {
    test('opens one site, and says what the operator may do there', async () => {
      const [site, other] = [await server.createSite(), await server.createSite()];
      const { browser } = await anOperator(server, site.siteId, 'support');
      const { status, body } = await browser.ask('POST', 'token', { siteId: site.siteId });
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          token: expect.stringMatching(/^gateop_[\w-]{43}$/),
          expiresAt: expect.any(String),
          role: 'support',
          permissions: rolePermissions.support,
        },
      });
      expect((await use(body.token)).body.data.id).toBe(site.siteId);
      const member = await aMember(other);
      expectAnswer('getMember', await use(body.token, `/members/${member.id}`), 404, 'member_not_found');
    });

    test('is given for no site where the operator has no role, in the same words as for none at all', async () => {
      const [site, other] = [await server.createSite(), await server.createSite()];
      const { browser } = await anOperator(server, site.siteId);
      const realm = await realmOfOperators(server);
      const messages = [];
      for (const siteId of [other.siteId, realm.id, randomUUID()]) {
        const { status, body } = await browser.ask('POST', 'token', { siteId });
        expect([status, body.error.code]).toEqual([403, 'permission_denied']);
        messages.push(body.error.message);
      }
      expect(new Set(messages).size).toBe(1);
    });

    test('works for its time and no longer', async () => {
      const { token } = await signedIn();
      clock.advance(operatorTokenMinutes * 60_000 - 5_000);
      expect((await use(token)).status).toBe(200);
      clock.advance(5_000);
      expectError(await use(token), 401, 'invalid_api_key');
    });

    test.each<[string, (operator: TestOperator, site: TestSite) => Promise<unknown>]>([
      ['signs out', ({ browser }) => browser.ask('POST', 'sign-out', {})],
      ['signs out everywhere', ({ browser }) => browser.ask('POST', 'sign-out', { everywhere: true })],
      ['ends the session', ({ browser, sessionId }) => browser.ask('DELETE', `sessions/${sessionId}`)],
      [
        'loses the role',
        ({ id }, { siteId }) => server.database.transaction((tx) => deleteRole(tx, siteId, id)),
      ],
      [
        'is blocked',
        async ({ id }) => {
          const realm = await realmOfOperators(server);
          const cause = systemCause(clock().toISOString());
          const changes = { status: 'blocked' } as const;
          await server.database.transaction((tx) => updateMember(tx, realm.id, id, changes, cause, () => {}));
        },
      ],
    ])('is dead the moment the operator %s', async (_, end) => {
      const { operator, site, token } = await signedIn();
      expect((await use(token)).status).toBe(200);
      await end(operator, site);
      expectError(await use(token), 401, 'invalid_api_key');
    });

    test('allows what the role is now, and not what it was', async () => {
      const { operator, site, token } = await signedIn();
      expect((await use(token, '/members')).status).toBe(200);
      const change = (role: 'viewer' | 'owner') =>
        server.database.transaction((tx) => updateRole(tx, site.siteId, operator.id, role));
      const create = () =>
        send(`${server.apiUrl}/access-groups`, 'POST', {
          headers: { authorization: `Bearer ${token}` },
          body: { name: randomUUID() },
        });
      expect((await create()).status).toBe(201);
      await change('viewer');
      expectAnswer('createAccessGroup', await create(), 403, 'permission_denied');
      await change('owner');
      expect((await create()).status).toBe(201);
    });

    test('makes the operator the actor of what is done with it', async () => {
      const { operator, site } = await signedIn();
      const group = await operator.browser.api(site.siteId, 'POST', '/access-groups', { name: 'Crew' });
      const { body } = await site.get(`/events?groupId=${group.body.data.id}`);
      expect(body.data[0].actor).toEqual({ type: 'operator', id: operator.id, name: operator.email });
    });

    test('is not in the store, only its hash', async () => {
      const { token } = await signedIn();
      const rows = await server.database.all(sql`SELECT hash FROM operator_tokens`);
      expect(rows).not.toEqual([]);
      expect(JSON.stringify(rows)).not.toContain(token.slice('gateop_'.length));
    });
  });

  async function signedIn() {
    const site = await server.createSite();
    const operator = await anOperator(server, site.siteId);
    return { site, operator, token: await operator.browser.token(site.siteId) };
  }

  test('an owner makes further sites and owns them, which nobody else may', async () => {
    const site = await server.createSite();
    const [owner, admin] = [
      await anOperator(server, site.siteId),
      await anOperator(server, site.siteId, 'admin'),
    ];
    const input = { slug: `n-${randomUUID()}`, title: 'Another club' };
    expect((await admin.browser.ask('POST', 'sites', input)).body.error.code).toBe('permission_denied');
    const made = await owner.browser.ask('POST', 'sites', input);
    expect(made.body.site).toMatchObject({ ...input, domain: null });
    const { body: me } = await owner.browser.ask('GET', 'me');
    expect(me.sites.map(({ id, role }: { id: string; role: string }) => [id, role])).toEqual([
      [site.siteId, 'owner'],
      [made.body.site.id, 'owner'],
    ]);
    expect(me.mayCreateSites).toBe(true);
    expect((await admin.browser.ask('GET', 'me')).body.mayCreateSites).toBe(false);
    const again = await owner.browser.ask('POST', 'sites', input);
    expect([again.status, again.body.error.code]).toEqual([409, 'site_slug_taken']);
    const wrong = await owner.browser.ask('POST', 'sites', { slug: '-operators', title: 'Club' });
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'invalid_request']);
  });

  test('the site of the operators cannot be made by anybody, and has no name to find it by', async () => {
    const make = server.database.transaction((tx) => createSite(tx, { slug: '-operators' }));
    await expect(make).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
