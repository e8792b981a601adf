import { FoundMember } from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { expectResponse, unset } from '../../../test/contract/answers.ts';
import { aGroup, aMember, aMembership, aScopeGroup, aScopeMembership } from '../../../test/contract/given.ts';
import { hour } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { newId } from '../../base/ids.ts';
import { createAccessGroup } from '../../domain/access-groups/access-groups.ts';
import { createMembers } from '../../domain/members/new-members.ts';
import { createSite } from '../../domain/sites/sites.ts';
import { migrate } from '../../storage/migrations/migrations.ts';
import { openDatabase } from '../../storage/open.ts';
import { lookUpMembers } from './member-lookup.ts';

forEachStore((store) => {
  const server = useTestServer(store);
  const lookUp = async (site: TestSite, ...emails: string[]) =>
    expectResponse('lookUpMembers', await site.post('/members/lookup', { emails }), 200).data;

  test('members are returned in the order of the addresses, once each, and unknown addresses are skipped', async () => {
    const site = await server.createSite();
    const [ada, eve] = [await aMember(site), await aMember(site, { email: 'eve@bücher.example' })];
    const found = await lookUp(
      site,
      ' EVE@BÜCHER.example ',
      'nobody@example.com',
      'no address',
      '',
      ada.email,
      eve.email,
    );
    expect(found.map(({ id }: { id: string }) => id)).toEqual([eve.id, ada.id]);
  });

  test('ids are looked up too, after the addresses, and a member who was looked up twice is returned once', async () => {
    const [site, other] = [await server.createSite(), await server.createSite()];
    const [ada, eve, joan] = [await aMember(site), await aMember(site), await aMember(site)];
    const foreign = await aMember(other);
    const find = async (body: object) => {
      const answer = await site.post('/members/lookup', body);
      return expectResponse('lookUpMembers', answer, 200).data.map(({ id }: FoundMember) => id);
    };
    const memberIds = [joan.id.toUpperCase(), crypto.randomUUID(), ada.id, foreign.id, joan.id];
    expect(await find({ memberIds })).toEqual([joan.id, ada.id]);
    expect(await find({ memberIds, emails: [eve.email, ada.email] })).toEqual([eve.id, ada.id, joan.id]);
  });

  test('a member is returned with state, groups, and the ends of current memberships', async () => {
    const site = await server.createSite();
    const ada = await aMember(site, { displayName: 'Ada', paid: true });
    const [choir, band, scope] = [
      await aGroup(site, { name: 'Choir' }),
      await aGroup(site, { name: 'Band' }),
      await aScopeGroup(server, site, 'Staff'),
    ];
    const end = new Date(Date.now() + 48 * hour).toISOString();
    await aMembership(site, choir.id, ada.id);
    await aMembership(site, band.id, ada.id, end);
    await aScopeMembership(server, site, scope.id, ada.id);
    await site.patch(`/members/${ada.id}`, { status: 'blocked' });
    const accessGroups = [
      { id: band.id, name: 'Band', expiresAt: end },
      { id: choir.id, name: 'Choir', expiresAt: null },
      { id: scope.id, name: 'Staff', expiresAt: null },
    ];
    const { id, email } = ada;
    expect(await lookUp(site, email)).toEqual([
      { ...unset(FoundMember), id, email, displayName: 'Ada', status: 'blocked', paid: true, accessGroups },
    ]);
  });

  test('1 to 500 addresses and ids in all can be looked up, and the request does not count as a change', async () => {
    const site = await server.createSite();
    const emails = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@example.com`);
    for (const count of [0, 501]) {
      const answer = await site.post('/members/lookup', { emails: emails(count) });
      expectResponse('lookUpMembers', answer, 400, 'invalid_request');
    }
    const memberIds = (count: number) => Array.from({ length: count }, () => crypto.randomUUID());
    for (const body of [
      {},
      { memberIds: [] },
      { memberIds: memberIds(501) },
      { emails: emails(250), memberIds: memberIds(251) },
    ]) {
      expectResponse('lookUpMembers', await site.post('/members/lookup', body), 400, 'invalid_request');
    }
    const both = { emails: emails(250), memberIds: memberIds(250) };
    expectResponse('lookUpMembers', await site.post('/members/lookup', both), 200);
    await site.post('/members/bulk', { members: emails(500).map((email) => ({ email })) });
    const body = { emails: emails(500) };
    const headers = { 'idempotency-key': 'the same' };
    const first = await site.post('/members/lookup', body, headers);
    expect(expectResponse('lookUpMembers', first, 200).data).toHaveLength(500);
    await site.delete(`/members/${first.body.data[0].id}`);
    // The reply is not that of an earlier request.
    expect((await site.post('/members/lookup', body, headers)).body.data).toHaveLength(499);
  });

  test('it requires only the permission to read members', async () => {
    const site = await server.createSite();
    for (const [permission, status] of [
      ['members:read', 200],
      ['members:write', 403],
    ] as const) {
      const { secret } = await site.createKey({ permissions: [permission] });
      const authorization = `Bearer ${secret}`;
      const answer = await site.post('/members/lookup', { emails: ['a@example.com'] }, { authorization });
      expect(answer.status).toBe(status);
    }
  });

  describe('the number of statements', () => {
    test('is two, for one address and for 500', async () => {
      const statements: string[] = [];
      const database = openDatabase(await store.freshUrl(), { onStatement: (text) => statements.push(text) });
      try {
        await migrate(database);
        const { id } = await changing(database, newId(), (change) => createSite(change, { slug: 'main' }));
        const drafts = Array.from({ length: 500 }, (_, n) => ({
          email: `p${n}@example.com`,
          displayName: null,
          paid: false,
        }));
        await changing(database, id, async (change) => {
          const groups = [];
          for (const name of ['Choir', 'Band'])
            groups.push((await createAccessGroup(change, { name, description: null })).id);
          await createMembers(change, drafts, groups);
        });
        for (const count of [1, 500]) {
          statements.length = 0;
          const emails = drafts.slice(0, count).map(({ email }) => email);
          const found = await lookUpMembers(
            { db: database, siteId: id, now: new Date().toISOString() },
            { emails },
          );
          expect(found.map(({ accessGroups }) => accessGroups.length)).toEqual(emails.map(() => 2));
          expect(statements).toHaveLength(2);
        }
      } finally {
        await database.close();
      }
    });
  });
});
