import { randomUUID } from 'node:crypto';
import {
  grants,
  type Operation,
  operations,
  type Permission,
  permissions,
  rolePermissions,
} from '@gatehouse/contract';
import type { OperatedSite } from '@gatehouse/contract/dashboard';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { expectError, expectResponse } from '../../../test/contract/answers.ts';
import { aPasskey } from '../../../test/contract/dashboard-requests.ts';
import { dumpSite } from '../../../test/contract/dump.ts';
import { aDomain, aMember, anInvitedOperator } from '../../../test/contract/given.ts';
import { operationsWithKey, readyRequest } from '../../../test/contract/requests.ts';
import { RawConnection, requestText } from '../../../test/hostile/raw-connection.ts';
import { movableTime } from '../../../test/movable-time.ts';
import {
  anOperator,
  everyRole,
  OperatorBrowser,
  operatorTenantOf,
  type TestOperator,
} from '../../../test/operator.ts';
import { forEachStore, forOneStore } from '../../../test/stores.ts';
import { send, type TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { appendedToLinks } from '../../../test/visitor.ts';
import { newId } from '../../base/ids.ts';
import { updateMember } from '../members/members.ts';
import { consumeChallenge, saveChallengeFor } from '../passkeys/passkeys.ts';
import { generateToken } from '../sessions/token.ts';
import { createSite } from '../sites/sites.ts';
import { operatorTokenMinutes } from './operator.ts';
import { deleteRole, insertRole, updateRole } from './operator-store.ts';

// The role is compared with the table before the store is used; each store shows below that it returns the role.
forOneStore((store) => {
  const server = useTestServer(store);

  describe.each(everyRole)('the role %s', (role) => {
    let site: TestSite;
    let token: string;
    beforeAll(async () => {
      site = await server.createSite();
      token = await (await anOperator(server, site.siteId, role)).browser.token(site.siteId);
    });

    test.each(operationsWithKey)('may do %s exactly as the table says', async (operationId) => {
      const { method, path, body, furtherPermissions = [] } = await readyRequest(operationId, site);
      const { permission, success }: Operation = operations[operationId];
      const headers = { authorization: `Bearer ${token}` };
      const answer = await send(server.apiUrl + path, method, { headers, body });
      const may = [permission!, ...furtherPermissions].every((each) => grants(rolePermissions[role], each));
      if (may) expectResponse(operationId, answer, success.status);
      else expectResponse(operationId, answer, 403, 'permission_denied');
    });
  });
});

forEachStore((store) => {
  const server = useTestServer(store);

  /** The response to a request with an operator's token. */
  const use = (token: string, path = '/site') =>
    send(server.apiUrl + path, 'GET', { headers: { authorization: `Bearer ${token}` } });

  test('the number of passkeys of operators is for callers who manage operators', async () => {
    const site = await server.createSite();
    await anOperator(server, site.siteId, 'support');
    for (const [permissions, passkeys] of [
      [['operators:read'], null],
      [['operators:read', 'operators:write'], 0],
    ] as const) {
      const { secret } = await site.createKey({ permissions: [...permissions] });
      const answer = await site.get('/operators', { authorization: `Bearer ${secret}` });
      const { data } = expectResponse('listOperators', answer, 200);
      expect(data).toMatchObject([{ passkeys }]);
    }
  });

  describe('the token of an operator', () => {
    test('gives access to one site, and has the permissions of the operator there', async () => {
      const [site, other] = [await server.createSite(), await server.createSite()];
      const { browser } = await anOperator(server, site.siteId, 'support');
      const { status, body } = await browser.request('POST', 'token', { siteId: site.siteId });
      expect({ status, body }).toEqual({
        status: 201,
        body: {
          data: {
            token: expect.stringMatching(/^gateop_[\w-]{43}$/),
            expiresInSeconds: 900,
            role: 'support',
            permissions: rolePermissions.support,
            lastEventId: (await site.get('/events?limit=100')).body.data.at(-2).id,
          },
        },
      });
      expect((await use(body.data.token)).body.data.id).toBe(site.siteId);
      const member = await aMember(other);
      expectResponse(
        'getMember',
        await use(body.data.token, `/members/${member.id}`),
        404,
        'member_not_found',
      );
    });

    test('is not issued for a site on which the operator has no role, with the same error as for an unknown site', async () => {
      const [site, other] = [await server.createSite(), await server.createSite()];
      const { browser } = await anOperator(server, site.siteId);
      const tenant = await operatorTenantOf(server);
      const messages = [];
      for (const siteId of [other.siteId, tenant.id, randomUUID()]) {
        const { status, body } = await browser.request('POST', 'token', { siteId });
        expect([status, body.error.code]).toEqual([403, 'permission_denied']);
        messages.push(body.error.message);
      }
      expect(new Set(messages).size).toBe(1);
    });

    test.each<[string, (operator: TestOperator, site: TestSite) => Promise<unknown>]>([
      ['logs out', ({ browser }) => browser.request('POST', 'logout', {})],
      ['logs out everywhere', ({ browser }) => browser.request('POST', 'logout', { everywhere: true })],
      ['ends the session', ({ browser, sessionId }) => browser.request('DELETE', `sessions/${sessionId}`)],
      [
        'loses the role',
        async ({ personId }, { siteId }) => {
          const tenant = await operatorTenantOf(server);
          await server.database.transaction((tx) => deleteRole({ db: tx, siteId }, tenant.id, personId));
        },
      ],
      [
        'is blocked',
        async ({ personId }) => {
          const tenant = await operatorTenantOf(server);
          const changes = { status: 'blocked' } as const;
          await changing(server.database, tenant.id, (change) =>
            updateMember(change, personId, changes, () => {}),
          );
        },
      ],
    ])('is invalid as soon as the operator %s', async (_, end) => {
      const { operator, site, token } = await loggedIn();
      expect((await use(token)).status).toBe(200);
      await end(operator, site);
      expectError(await use(token), 401, 'invalid_api_key');
    });

    test('has the permissions of the current role', async () => {
      const { operator, site, token } = await loggedIn();
      expect((await use(token, '/members')).status).toBe(200);
      const change = (role: 'viewer' | 'owner') =>
        server.database.transaction((tx) =>
          updateRole({ db: tx, siteId: site.siteId }, operator.personId, role),
        );
      const create = () =>
        send(`${server.apiUrl}/access-groups`, 'POST', {
          headers: { authorization: `Bearer ${token}` },
          body: { name: randomUUID() },
        });
      expect((await create()).status).toBe(201);
      await change('viewer');
      expectResponse('createAccessGroup', await create(), 403, 'permission_denied');
      await change('owner');
      expect((await create()).status).toBe(201);
    });

    test('makes the operator the actor of its changes', async () => {
      const { operator, site } = await loggedIn();
      const group = await operator.browser.api(site.siteId, 'POST', '/access-groups', { name: 'Crew' });
      const { body } = await site.get(`/events?groupId=${group.body.data.id}`);
      expect(body.data[0].actor).toEqual({ type: 'operator', id: operator.id, name: operator.email });
    });

    test('does not return with the role of an operator who was removed', async () => {
      const { operator, site, token } = await loggedIn();
      const tenant = await operatorTenantOf(server);
      await server.database.transaction(async (tx) => {
        const { personId } = operator;
        await deleteRole({ db: tx, siteId: site.siteId }, tenant.id, personId);
        const createdAt = new Date().toISOString();
        const again = { id: newId(), personId, role: 'owner', invitedName: null, createdAt } as const;
        await insertRole({ db: tx, siteId: site.siteId }, again);
      });
      expectError(await use(token), 401, 'invalid_api_key');
    });

    test('is stored only as a hash', async () => {
      const { token } = await loggedIn();
      const rows = await server.database.all(sql`SELECT hash FROM operator_tokens`);
      expect(rows).not.toEqual([]);
      expect(JSON.stringify(rows)).not.toContain(token.slice('gateop_'.length));
    });
  });

  test.each(everyRole)('the role %s may do in bulk what it may do to one member', async (role) => {
    const site = await server.createSite();
    const { browser } = await anOperator(server, site.siteId, role);
    await aDomain(site);
    const needs: [object, Permission][] = [
      [{ type: 'block' }, 'members:block'],
      [{ type: 'unblock' }, 'members:block'],
      [{ type: 'send_login_link' }, 'login-links:send'],
      [{ type: 'set_paid', paid: true }, 'members:write'],
      [{ type: 'delete' }, 'members:write'],
    ];
    for (const [action, permission] of needs) {
      const body = { memberIds: [(await aMember(site)).id], action };
      const { status } = await browser.api(site.siteId, 'POST', '/members/bulk-actions', body);
      expect([action, status]).toEqual([action, grants(rolePermissions[role], permission) ? 207 : 403]);
    }
  });

  describe('the operators of a site', () => {
    test('are invited by email, which says by whom and where to log in, and contains no secret', async () => {
      const { site, operator } = await loggedIn();
      const email = `new-${randomUUID()}@example.com`;
      const invite = { email, role: 'support', displayName: 'Grace Hopper' };
      const answer = await operator.browser.api(site.siteId, 'POST', '/operators', invite);
      const { id } = expectResponse('inviteOperator', answer, 201).data;
      expect(answer.body.data).toMatchObject({ ...invite, status: 'invited', lastLoginAt: null });
      const sent = await invitationTo(email);
      const { title } = (await site.get('/site')).body.data;
      expect(sent.subject).toBe(`${operator.email} invites you to ${title}`);
      const url = `http://localhost:8080/dashboard/login?email=${encodeURIComponent(email)}`;
      expect(sent.text).toContain(`\n\n${url}\n\n`);
      expect(sent.html).toContain(`href="${url}"`);
      const [event] = (await site.get('/events?type=operator.invited')).body.data;
      expect(event).toMatchObject({
        actor: { type: 'operator', id: operator.id },
        data: { operator: { id, email, displayName: 'Grace Hopper', role: 'support' } },
      });
      expect(await rolesOf(site)).toEqual({ [operator.id]: 'owner', [id]: 'support' });
    });

    test('find the address in the form, without what was appended to the link of the invitation', async () => {
      const { site } = await loggedIn();
      const { email } = await anInvitedOperator(site);
      for (const appended of appendedToLinks) {
        const path = `/dashboard/login?email=${encodeURIComponent(email)}${appended}`;
        const { text } = await new OperatorBrowser(server).visit('GET', path);
        expect([appended, /name="email" value="([^"]*)"/.exec(text)![1]]).toEqual([appended, email]);
      }
    });

    test('become active when they use the site after a login, and only then does the site see more data', async () => {
      const site = await server.createSite();
      const other = await server.createSite();
      const { email } = await anInvitedOperator(other, { displayName: 'Grace' });
      const { id } = await anInvitedOperator(site, { email, displayName: 'Somebody' });
      const browser = new OperatorBrowser(server);
      const page = await browser.visit('GET', `/dashboard/login?email=${encodeURIComponent(email)}`);
      expect(page.text).toContain(`value="${email}"`);
      await browser.visit('POST', '/dashboard/login', { email });
      const { path } = await loginEmailTo(email);
      expect((await browser.visit('POST', path)).status).toBe(303);
      const unseen = { id, status: 'invited', displayName: 'Somebody', lastLoginAt: null };
      await browser.token(other.siteId);
      expect((await site.get('/operators')).body.data).toMatchObject([unseen]);
      await browser.token(site.siteId);
      await browser.token(site.siteId);
      const [seen] = (await site.get('/operators')).body.data;
      expect(seen).toMatchObject({
        id,
        status: 'active',
        displayName: 'Grace',
        lastLoginAt: expect.any(String),
      });
      const { data: logins } = (await site.get('/events?type=operator.login')).body;
      expect(logins).toMatchObject([
        {
          actor: { type: 'operator', id, name: 'Grace' },
          ipAddress: '127.0.0.1',
          occurredAt: seen.lastLoginAt,
          data: { operatorId: id },
        },
      ]);
    });

    test('are the same person on every site of the installation', async () => {
      const [site, other] = [await server.createSite(), await server.createSite()];
      const { email } = await anInvitedOperator(site, { displayName: 'Grace' });
      const again = await anInvitedOperator(other, { email: email.toUpperCase(), displayName: 'Eve' });
      expect(again).toMatchObject({ email, displayName: 'Eve' });
      expectResponse(
        'inviteOperator',
        await other.post('/operators', { email, role: 'owner' }),
        409,
        'operator_exists',
      );
      expect(await rolesOf(other)).toEqual({ [again.id]: 'viewer' });
    });

    test('have an unrelated id on each site, of which a site sees only its own', async () => {
      const [site, other] = [await server.createSite(), await server.createSite()];
      const person = await anOperator(server, site.siteId);
      const { id: idThere } = await anInvitedOperator(other, { email: person.email, role: 'owner' });
      const ids = { [site.siteId]: person.id, [other.siteId]: idThere };
      await person.browser.request('PATCH', 'me', { displayName: 'Ada' });
      await aPasskey(person);
      for (const each of [site, other]) {
        const invite = { email: `o-${randomUUID()}@example.com`, role: 'viewer' };
        const invited = await person.browser.api(each.siteId, 'POST', '/operators', invite);
        expectResponse('inviteOperator', invited, 201);
      }
      for (const [each, foreign] of [
        [site, idThere],
        [other, person.id],
      ] as const) {
        const own = ids[each.siteId]!;
        for (const path of ['/operators', '/events?limit=100', '/event-groups', '/emails', '/api-keys']) {
          const text = JSON.stringify((await each.get(path)).body);
          expect([path, text.includes(foreign), text.includes(person.personId)]).toEqual([
            path,
            false,
            false,
          ]);
          if (/operators|event/.test(path))
            expect([path, text]).toEqual([path, expect.stringContaining(own)]);
        }
        for (const unknown of [foreign, person.personId]) {
          const path = `/operators/${unknown}`;
          const updated = await each.patch(path, { role: 'viewer' });
          expectResponse('updateOperator', updated, 404, 'operator_not_found');
          expectResponse('removeOperator', await each.delete(path), 404, 'operator_not_found');
        }
      }
      const { data: me } = (await person.browser.request('GET', 'me')).body;
      expect(me.operator.id).toBe(person.personId);
      const seen = me.sites.map((each: OperatedSite) => [each.id, each.operatorId]);
      expect(Object.fromEntries(seen)).toEqual(ids);
    });

    test('have a new id when they are invited again', async () => {
      const site = await server.createSite();
      const { id, email } = await anInvitedOperator(site);
      await anInvitedOperator(await server.createSite(), { email });
      expectResponse('removeOperator', await site.delete(`/operators/${id}`), 204);
      const again = await anInvitedOperator(site, { email });
      expect(again.id).not.toBe(id);
      expectResponse('removeOperator', await site.delete(`/operators/${id}`), 404, 'operator_not_found');
      expect(await rolesOf(site)).toEqual({ [again.id]: 'viewer' });
    });

    test('who are removed leave the invitations of others with a similar address', async () => {
      const site = await server.createSite();
      const email = `o_${randomUUID()}@example.com`;
      const similar = email.replace('_', 'x');
      const { id } = await anInvitedOperator(site, { email });
      await anInvitedOperator(site, { email: similar });
      expectResponse('removeOperator', await site.delete(`/operators/${id}`), 204);
      const { data } = (await site.get('/events?type=operator.invited')).body;
      const addresses = data.map(
        (event: { data: { operator: { email: string } } }) => event.data.operator.email,
      );
      expect(addresses).toEqual([null, similar]);
    });

    test('cause an event on each of their sites when they change their name', async () => {
      const { site, operator } = await loggedIn();
      const other = await server.createSite();
      const { id: idThere } = await anInvitedOperator(other, { email: operator.email });
      const rename = (displayName: string) => operator.browser.request('PATCH', 'me', { displayName });
      for (const name of ['Ada', 'Ada', 'Grace']) expect((await rename(name)).status).toBe(200);
      expect((await rename('x'.repeat(201))).body.error.code).toBe('invalid_request');
      for (const [each, operatorId] of [
        [site, operator.id],
        [other, idThere],
      ] as const) {
        const { data } = (await each.get('/events?type=operator.updated')).body;
        expect(data.map((event: { data: unknown }) => event.data)).toEqual([
          { operatorId, changes: [{ field: 'displayName', from: null, to: 'Ada' }] },
          { operatorId, changes: [{ field: 'displayName', from: 'Ada', to: 'Grace' }] },
        ]);
        expect(data[1].actor).toEqual({ type: 'operator', id: operatorId, name: 'Grace' });
      }
    });

    test('cannot be given a role or lose theirs by a key with fewer permissions', async () => {
      const site = await server.createSite();
      const [owner, viewer] = [await site.createOperator('owner'), await site.createOperator('viewer')];
      await site.createOperator('owner');
      const { secret } = await site.createKey({
        permissions: ['operators:write', ...rolePermissions.viewer],
      });
      const withWeakKey = (method: string, path: string, body?: unknown) =>
        send(server.apiUrl + path, method, {
          headers: { authorization: `Bearer ${secret}` },
          ...(body !== undefined && { body }),
        });
      const invite = { email: `o-${randomUUID()}@example.com`, role: 'support' };
      const denied = [
        ['inviteOperator', await withWeakKey('POST', '/operators', invite)],
        ['updateOperator', await withWeakKey('PATCH', `/operators/${viewer}`, { role: 'owner' })],
        ['updateOperator', await withWeakKey('PATCH', `/operators/${owner}`, { role: 'viewer' })],
        ['removeOperator', await withWeakKey('DELETE', `/operators/${owner}`)],
      ] as const;
      for (const [operationId, answer] of denied)
        expectResponse(operationId, answer, 403, 'permission_denied');
      expectResponse(
        'inviteOperator',
        await withWeakKey('POST', '/operators', { ...invite, role: 'viewer' }),
        201,
      );
      expectResponse('removeOperator', await withWeakKey('DELETE', `/operators/${viewer}`), 204);
    });

    test('can do nothing more once they are removed, even with requests begun before', async () => {
      const { site, operator, token } = await loggedIn();
      await site.createOperator('owner');
      const { apiKey, secret } = await site.createKey({ permissions });
      const body = JSON.stringify({ email: `o-${randomUUID()}@example.com`, role: 'owner' });
      const begun = await Promise.all(
        [token, secret].map(async (credential) => {
          const connection = await RawConnection.open(server.address, 'POST');
          const headers = {
            Authorization: `Bearer ${credential}`,
            'Content-Type': 'application/json',
            'Content-Length': String(body.length),
          };
          connection.write(requestText('POST /api/v1/operators', headers, body.slice(0, 5)));
          return connection;
        }),
      );
      // Evaluated after the request headers were received: the permissions of both have been looked up.
      await expect.poll(async () => (await site.get('/site')).status).toBe(200);
      await site.delete(`/operators/${operator.id}`);
      await site.delete(`/api-keys/${apiKey.id}`);
      for (const connection of begun) {
        connection.write(body.slice(5));
        expectResponse('inviteOperator', (await connection.answer())!, 401, 'invalid_api_key');
        connection.destroy();
      }
      expect(Object.keys(await rolesOf(site))).toHaveLength(1);
    });

    test('are listed in the order of their roles on this site, also when one of them has been removed', async () => {
      const [site, elsewhere] = [await server.createSite(), await server.createSite()];
      const older = await anInvitedOperator(elsewhere);
      const [first, second] = [await anInvitedOperator(site), await anInvitedOperator(site)];
      const again = await anInvitedOperator(site, { email: older.email });
      const idsAfter = async (query: string) =>
        (await site.get(`/operators?${query}`)).body.data.map(({ id }: { id: string }) => id);
      expect(await idsAfter('')).toEqual([again.id, second.id, first.id]);
      expect(await idsAfter(`limit=1&after=${again.id}`)).toEqual([second.id]);
      await site.delete(`/operators/${again.id}`);
      expect(await idsAfter(`after=${again.id}`)).toEqual([second.id, first.id]);
    });

    test('are invited once, even by many simultaneous requests', async () => {
      const site = await server.createSite();
      const email = `new-${randomUUID()}@example.com`;
      const answers = await Promise.all(
        Array.from({ length: 16 }, () => site.post('/operators', { email, role: 'viewer' })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(15).fill(409)]);
    });

    test('always include an owner, whichever of them is changed or removed', async () => {
      const { site, operator } = await loggedIn();
      const path = `/operators/${operator.id}`;
      expectResponse('updateOperator', await site.patch(path, { role: 'admin' }), 409, 'last_owner');
      expectResponse('removeOperator', await site.delete(path), 409, 'last_owner');
      expectResponse('updateOperator', await site.patch(path, { role: 'owner' }), 200);
      const other = await anInvitedOperator(site, { role: 'owner' });
      expectResponse('updateOperator', await site.patch(path, { role: 'admin' }), 200);
      const last = `/operators/${other.id}`;
      expectResponse('removeOperator', await site.delete(last), 409, 'last_owner');
      const [event] = (await site.get('/events?type=operator.updated')).body.data;
      expect(event.data).toEqual({
        operatorId: operator.id,
        changes: [{ field: 'role', from: 'owner', to: 'admin' }],
      });
    });

    test('always include an owner, even if all of them leave at the same time', async () => {
      for (let round = 0; round < 5; round += 1) {
        const site = await server.createSite();
        const owners = [];
        for (let index = 0; index < 6; index += 1) {
          owners.push(await anInvitedOperator(site, { role: 'owner' }));
        }
        const answers = await Promise.all(
          owners.map(({ id }, index) =>
            index % 2 === 0
              ? site.delete(`/operators/${id}`)
              : site.patch(`/operators/${id}`, { role: 'viewer' }),
          ),
        );
        expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
        expect(Object.values(await rolesOf(site)).filter((role) => role === 'owner')).toHaveLength(1);
      }
    });

    test('are deleted with their last role, and not before', async () => {
      const [site, other] = [await server.createSite(), await server.createSite()];
      const { id, email, browser } = await anOperator(server, site.siteId, 'viewer');
      const there = await anInvitedOperator(other, { email, displayName: 'Name Typed' });
      expectResponse('removeOperator', await site.delete(`/operators/${id}`), 204);
      expectResponse('removeOperator', await site.delete(`/operators/${id}`), 404, 'operator_not_found');
      expect((await browser.request('GET', 'me')).body.data.sites).toMatchObject([{ id: other.siteId }]);
      expectResponse('removeOperator', await other.delete(`/operators/${there.id}`), 204);
      expect((await browser.request('GET', 'me')).status).toBe(401);
      const { id: tenantId } = await operatorTenantOf(server);
      // The cursor tombstones are purged a day later.
      for (const siteId of [tenantId, site.siteId, other.siteId]) {
        const {
          cursor_tombstones: _,
          idempotency_keys: __,
          ...dump
        } = await dumpSite(server.database, siteId);
        expect(JSON.stringify(dump)).not.toContain(email);
        expect(JSON.stringify(dump)).not.toContain('Name Typed');
      }
      const [invited] = (await other.get('/events?type=operator.invited')).body.data;
      const erased = { id: there.id, email: null, displayName: null, role: 'viewer' };
      expect(invited.data.operator).toEqual(erased);
      const emails = await server.database.all(sql`SELECT id FROM emails WHERE recipient = ${email}`);
      expect(emails).toEqual([]);
      expect((await site.get('/events?type=operator.removed')).body.data[0].data).toEqual({ operatorId: id });
    });
  });

  describe('a passkey', () => {
    test('belongs to one operator, and is recorded on the sites of the operator', async () => {
      const site = await server.createSite();
      const { siteId } = site;
      const [one, other] = [await anOperator(server, siteId), await anOperator(server, siteId)];
      const { id: passkeyId, authenticator } = await aPasskey(one);
      const { body: offered } = await other.browser.request('POST', 'passkeys/options', {});
      const response = authenticator.register(offered.data);
      const again = await other.browser.request('POST', 'passkeys', { name: 'Key', response });
      expect([again.status, again.body.error.code]).toEqual([400, 'invalid_request']);
      expect((await one.browser.request('DELETE', `passkeys/${passkeyId}`)).status).toBe(204);
      const { data } = (await site.get('/events?type=operator.updated')).body;
      expect(data.map((event: { data: unknown }) => event.data)).toEqual([
        { operatorId: one.id, changes: [{ field: 'passkeys', from: '0', to: '1' }] },
        { operatorId: one.id, changes: [{ field: 'passkeys', from: '1', to: '0' }] },
      ]);
    });

    test.each([
      ['another host', sql`rp_id = 'former.example.org'`],
      ['a user who was not verified', sql`user_verified = ${false}`],
    ])('that was added for %s cannot log in', async (_, change) => {
      const operator = await anOperator(server, (await server.createSite()).siteId);
      const { id, authenticator } = await aPasskey(operator);
      const logIn = async () => {
        const { data } = (await operator.browser.request('POST', 'passkey-login/options', {})).body;
        const response = authenticator.sign(data);
        return (await operator.browser.request('POST', 'passkey-login', { response })).status;
      };
      expect(await logIn()).toBe(200);
      await server.database.run(sql`UPDATE passkeys SET ${change} WHERE id = ${id}`);
      expect(await logIn()).toBe(400);
    });

    test('cannot log in with a signature made for another purpose', async () => {
      const { id: tenantId } = await operatorTenantOf(server);
      const [browserToken, _now] = [generateToken(), new Date().toISOString()];
      await changing(server.database, tenantId, async (change) => {
        await saveChallengeFor(change, browserToken, 'add', 'challenge');
        expect(await consumeChallenge(change, browserToken, 'log_in')).toBeNull();
        expect(await consumeChallenge(change, browserToken, 'add')).toBe('challenge');
      });
    });
  });

  async function rolesOf(site: TestSite): Promise<Record<string, string>> {
    const { data } = (await site.get('/operators')).body;
    return Object.fromEntries(data.map(({ id, role }: { id: string; role: string }) => [id, role]));
  }

  async function invitationTo(email: string): Promise<{ subject: string; text: string; html: string }> {
    const read = () =>
      server.database.get<{ content: string }>(
        sql`SELECT content FROM emails WHERE recipient = ${email} AND type = 'invitation' AND status = 'not_sent'`,
      );
    await expect.poll(read).toBeDefined();
    return JSON.parse((await read())!.content);
  }

  async function loginEmailTo(email: string): Promise<{ path: string }> {
    const tenant = await operatorTenantOf(server);
    const read = () =>
      server.database.get<{ content: string }>(
        sql`SELECT content FROM emails WHERE site_id = ${tenant.id} AND recipient = ${email} AND status = 'not_sent'`,
      );
    await expect.poll(read).toBeDefined();
    const { text } = JSON.parse((await read())!.content);
    return { path: /\/dashboard\/link\/[\w-]{43}/.exec(text)![0] };
  }

  describe('over time', () => {
    const { clock, advance } = movableTime();
    const later = useTestServer(store, { clock });

    test('the token of an operator expires', async () => {
      const { siteId } = await later.createSite();
      const { browser } = await anOperator(later, siteId);
      const token = await browser.token(siteId);
      const use = () =>
        send(`${later.apiUrl}/site`, 'GET', { headers: { authorization: `Bearer ${token}` } });
      advance(operatorTokenMinutes * 60_000 - 5_000);
      expect((await use()).status).toBe(200);
      advance(5_000);
      expectError(await use(), 401, 'invalid_api_key');
    });

    test('operators can email a member five login links in 15 minutes, independently of programs', async () => {
      const site = await later.createSite();
      await aDomain(site);
      const [member, other] = [await aMember(site), await aMember(site)];
      const [one, another] = [
        await anOperator(later, site.siteId, 'support'),
        await anOperator(later, site.siteId, 'owner'),
      ];
      const path = `/members/${member.id}/login-links`;
      const send = ({ browser }: TestOperator) => browser.api(site.siteId, 'POST', path, { send: true });
      const bulk = async () => {
        const body = { memberIds: [member.id, other.id], action: { type: 'send_login_link' } };
        return (await one.browser.api(site.siteId, 'POST', '/members/bulk-actions', body)).body.data;
      };
      for (const by of [one, another, one, one]) {
        expectResponse('createMemberLoginLink', await send(by), 201);
        advance(60_000);
      }
      expect((await bulk())[0]).toMatchObject({ memberId: member.id, status: 'done' });
      for (const by of [one, another]) {
        const refused = await send(by);
        expectResponse('createMemberLoginLink', refused, 429, 'rate_limited');
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(10 * 60);
      }
      expect(await bulk()).toMatchObject([
        { memberId: member.id, status: 'error', error: { code: 'rate_limited' } },
        { memberId: other.id, status: 'done' },
      ]);
      expectResponse('createMemberLoginLink', await site.post(path, { send: true }), 201);
      advance(11 * 60_000);
      expectResponse('createMemberLoginLink', await send(one), 201);
    });

    test('operators who email a member login links at the same time get no more than five', async () => {
      const site = await later.createSite();
      await aDomain(site);
      const { id } = await aMember(site);
      const { browser } = await anOperator(later, site.siteId, 'support');
      const path = `/members/${id}/login-links`;
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => browser.api(site.siteId, 'POST', path, { send: true })),
      );
      const rejected = answers.filter(({ status }) => status !== 201);
      expect(rejected).toHaveLength(12 - 5);
      for (const answer of rejected) expectResponse('createMemberLoginLink', answer, 429, 'rate_limited');
    });

    test('a rate limit error is not repeated once the limit has passed', async () => {
      const site = await later.createSite();
      await aDomain(site);
      const { id } = await aMember(site);
      const { browser } = await anOperator(later, site.siteId, 'support');
      const headers = async () => ({
        authorization: `Bearer ${await browser.token(site.siteId)}`,
        'idempotency-key': randomUUID(),
      });
      const requestLink = (headers: Record<string, string>) =>
        send(`${later.apiUrl}/members/${id}/login-links`, 'POST', { headers, body: {} });
      for (let count = 0; count < 5; count += 1)
        expect((await requestLink(await headers())).status).toBe(201);
      const key = { 'idempotency-key': 'again' };
      expect((await requestLink({ ...(await headers()), ...key })).status).toBe(429);
      advance(16 * 60_000);
      expect((await requestLink({ ...(await headers()), ...key })).status).toBe(201);
    });
  });

  async function loggedIn() {
    const site = await server.createSite();
    const operator = await anOperator(server, site.siteId);
    return { site, operator, token: await operator.browser.token(site.siteId) };
  }

  test('only an owner can create more sites, and owns them', async () => {
    const site = await server.createSite();
    const [owner, admin] = [
      await anOperator(server, site.siteId),
      await anOperator(server, site.siteId, 'admin'),
    ];
    const input = { slug: `n-${randomUUID()}`, title: 'Another club' };
    expect((await admin.browser.request('POST', 'sites', input)).body.error.code).toBe('permission_denied');
    const made = await owner.browser.request('POST', 'sites', input);
    expect(made.body.data).toMatchObject({ ...input, domain: null });
    const { body: feed } = await owner.browser.api(made.body.data.id, 'GET', '/events?type=site.created');
    expect(feed.data).toMatchObject([
      {
        actor: { type: 'operator', id: made.body.data.operatorId },
        ipAddress: '127.0.0.1',
        data: { site: { id: made.body.data.id, ...input, domain: null } },
      },
    ]);
    const { data: me } = (await owner.browser.request('GET', 'me')).body;
    expect(me.sites.map(({ id, role }: { id: string; role: string }) => [id, role])).toEqual([
      [site.siteId, 'owner'],
      [made.body.data.id, 'owner'],
    ]);
    expect(me.mayCreateSites).toBe(true);
    expect((await admin.browser.request('GET', 'me')).body.data.mayCreateSites).toBe(false);
    const again = await owner.browser.request('POST', 'sites', input);
    expect([again.status, again.body.error.code]).toEqual([409, 'site_slug_taken']);
    const wrong = await owner.browser.request('POST', 'sites', { slug: '-operators', title: 'Club' });
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'invalid_request']);
  });

  test('the operator tenant cannot be created by users or found by a slug', async () => {
    const make = changing(server.database, newId(), (change) => createSite(change, { slug: '-operators' }));
    await expect(make).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('the table of roles', () => {
  const lacking = (role: keyof typeof rolePermissions) =>
    permissions.filter((permission) => !grants(rolePermissions[role], permission));

  test('lets an owner do everything, and an admin everything except managing operators', () => {
    expect(lacking('owner')).toEqual([]);
    expect(lacking('admin')).toEqual(['operators:write']);
  });

  test('lets a viewer see everything except API keys, and support also block members and send login links', () => {
    const seen = ['members', 'access-groups', 'events', 'sources', 'site', 'operators', 'emails'];
    expect(rolePermissions.viewer.toSorted()).toEqual(seen.map((each) => `${each}:read`).sort());
    const more = ['members:block', 'login-links:send', 'invitations:read', 'join-requests:read'];
    expect(rolePermissions.support).toEqual([...rolePermissions.viewer, ...more]);
  });
});
