import type { Member, MemberWithGroups } from '@gatehouse/contract';
import sql, { raw } from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectResponse } from '../../../../test/contract/answers.ts';
import {
  aGroup,
  aMember,
  aMembership,
  aScopeGroup,
  aScopeMembership,
  everyItem,
  someMembers,
} from '../../../../test/contract/given.ts';
import { hour } from '../../../../test/movable-time.ts';
import { forEachStore } from '../../../../test/stores.ts';
import type { TestSite } from '../../../../test/test-server.ts';
import { useTestServer } from '../../../../test/use-server.ts';

const sorts = ['createdAt', 'updatedAt', 'registeredAt', 'lastLoginAt', 'email', 'displayName'] as const;
const orders = ['asc', 'desc'] as const;

forEachStore((store) => {
  const server = useTestServer(store);

  const list = async (site: TestSite, query: Record<string, string>) =>
    (await everyItem(site, `/members?${new URLSearchParams(query)}`)) as Member[];
  const ids = (members: readonly { id: string }[]) => members.map(({ id }) => id);

  /** Sets values that no operation sets: those of a login, and of members who registered elsewhere. */
  async function set(site: TestSite, member: { id: string }, column: string, value: string | boolean | null) {
    await server.database.run(
      sql`UPDATE members SET ${raw(column)} = ${value} WHERE site_id = ${site.siteId} AND id = ${member.id}`,
    );
  }

  describe('sorted', () => {
    let site: TestSite;
    let members: Member[];

    beforeAll(async () => {
      site = await server.createSite();
      const made: MemberWithGroups[] = [];
      const names = ['beta', 'Alpha', null, 'alpha', 'Émile', null, 'ALPHA', 'zoë', '1st', '𝔸da'];
      const addresses = ['m', 'b', 'z', 'a', 'c', 'y', 'd', 'e1', 'e10', 'e2'];
      for (const [index, displayName] of names.entries()) {
        made.push(await aMember(site, { email: `${addresses[index]}@example.com`, displayName }));
      }
      const times = ['2026-03-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
      for (const [index, member] of made.entries()) {
        await set(site, member, 'last_login_at', index % 3 === 0 ? null : times[index % 2]!);
        await set(site, member, 'registered_at', index % 4 === 0 ? null : times[index % 3]!);
        await set(site, member, 'updated_at', times[(index * 2) % 3]!);
      }
      members = await list(site, {});
      expect(ids(members)).toEqual(ids(made).toReversed());
    });

    const fold = (text: string) => text.toUpperCase().toLowerCase();
    const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

    function expected(sort: (typeof sorts)[number], order: (typeof orders)[number]): string[] {
      const sign = order === 'asc' ? 1 : -1;
      const key = (member: Member) =>
        sort === 'displayName' && member.displayName ? fold(member.displayName) : member[sort];
      return ids(
        members.toSorted((a, b) => {
          const [left, right] = [key(a), key(b)];
          if (left === null || right === null) {
            if (left !== right) return left === null ? 1 : -1;
            return sign * byBytes(a.id, b.id);
          }
          return sign * (byBytes(left, right) || byBytes(a.id, b.id));
        }),
      );
    }

    test.each(sorts.flatMap((sort) => orders.map((order) => ({ sort, order }))))(
      'by $sort, $order: missing values last, ties by id, the same page by page',
      async ({ sort, order }) => {
        const whole = expected(sort, order);
        const at = `/members?sort=${sort}&order=${order}`;
        expect(ids(await everyItem(site, at))).toEqual(whole);
        for (const limit of [1, 3]) {
          const seen: string[] = [];
          let after = '';
          do {
            const { data, pagination } = expectResponse(
              'listMembers',
              await site.get(`${at}&limit=${limit}${after}`),
              200,
            );
            seen.push(...ids(data));
            after = pagination.nextCursor && `&after=${pagination.nextCursor}`;
          } while (after);
          expect(seen, `limit ${limit}`).toEqual(whole);
        }
      },
    );

    test('newest first by default', async () => {
      expect(ids(await list(site, {}))).toEqual(expected('createdAt', 'desc'));
      expect(ids(await list(site, { order: 'asc' }))).toEqual(expected('createdAt', 'asc'));
      expect(ids(await list(site, { sort: 'email' }))).toEqual(expected('email', 'desc'));
    });
  });

  describe('filtered', () => {
    let site: TestSite;
    let members: Member[];

    beforeAll(async () => {
      site = await server.createSite();
      for (const status of ['active', 'blocked']) {
        for (const paid of [true, false, null]) {
          for (const verified of [true, false, null]) {
            for (const name of ['Ada', 'Grace']) {
              const member = await aMember(site, { displayName: `${name} ${status} ${paid} ${verified}` });
              await set(site, member, 'status', status);
              await set(site, member, 'paid', paid);
              await set(site, member, 'verified', verified);
            }
          }
        }
      }
      members = await list(site, {});
      expect(members).toHaveLength(36);
    });

    const choices = <T>(...values: T[]) => [undefined, ...values];
    const combinations = choices('active', 'blocked').flatMap((status) =>
      choices('true', 'false').flatMap((paid) =>
        choices('true', 'false').flatMap((verified) =>
          choices('ada', 'a').map((q) => ({ status, paid, verified, q })),
        ),
      ),
    );

    test.each(['createdAt', 'displayName', 'lastLoginAt'])(
      'by every combination of filters, sorted by %s',
      async (sort) => {
        const sorted = await list(site, { sort });
        for (const filter of combinations) {
          const { status, paid, verified, q } = filter;
          const passing = sorted.filter(
            (member) =>
              (status === undefined || member.status === status) &&
              (paid === undefined || String(member.paid) === paid) &&
              (verified === undefined || String(member.verified) === verified) &&
              (q === undefined || `${member.email} ${member.displayName}`.toLowerCase().includes(q)),
          );
          const query = Object.fromEntries(
            Object.entries({ ...filter, sort }).filter(([, value]) => value !== undefined),
          ) as Record<string, string>;
          expect(ids(await list(site, query)), JSON.stringify(filter)).toEqual(ids(passing));
          if (passing.length < 3) continue;
          const after = await list(site, { ...query, after: passing[1]!.id });
          expect(ids(after), JSON.stringify(filter)).toEqual(ids(passing.slice(2)));
        }
      },
    );

    test('by an exact email address only', async () => {
      const member = members[7]!;
      expect(ids(await list(site, { email: member.email.toUpperCase() }))).toEqual([member.id]);
      expect(ids(await list(site, { email: member.email, status: member.status }))).toEqual([member.id]);
      const other = member.status === 'active' ? 'blocked' : 'active';
      expect(await list(site, { email: member.email, status: other })).toEqual([]);
      for (const email of [
        'nobody@example.com',
        '%@example.com',
        `x${member.email}`,
        member.email.slice(1),
      ]) {
        expect(await list(site, { email })).toEqual([]);
      }
    });
  });

  describe('filtered by membership', () => {
    let site: TestSite;
    let ids: string[];
    const groups = { choir: '', staff: '', gone: '' };
    const day = 24 * hour;
    const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();

    beforeAll(async () => {
      site = await server.createSite();
      groups.choir = (await aGroup(site, { name: 'Choir' })).id;
      groups.staff = (await aScopeGroup(server, site, 'Staff')).id;
      groups.gone = (await aGroup(site, { name: 'Gone' })).id;
      ids = (await someMembers(site, 6)).map(({ id }) => id);
      const [a, b, c, d, e] = ids as [string, string, string, string, string];
      await aMembership(site, groups.choir, a);
      await aMembership(site, groups.choir, b, inDays(3));
      await aMembership(site, groups.choir, c, inDays(30));
      await aMembership(site, groups.choir, d, inDays(3));
      await server.database.run(sql`
        UPDATE memberships SET expires_at = ${inDays(-1)} WHERE site_id = ${site.siteId} AND member_id = ${d}`);
      await aScopeMembership(server, site, groups.staff, c);
      await aMembership(site, groups.gone, e, inDays(3));
      await site.delete(`/access-groups/${groups.gone}`);
    });

    const listed = async (query: Record<string, string>) =>
      (await list(site, { order: 'asc', ...query })).map(({ id }) => ids.indexOf(id));

    test('of a group: current members only', async () => {
      expect(await listed({ groupId: groups.choir })).toEqual([0, 1, 2]);
      expect(await listed({ groupId: groups.choir.toUpperCase(), order: 'desc' })).toEqual([2, 1, 0]);
      expect(await listed({ groupId: groups.staff })).toEqual([2]);
    });

    test('by the end of a membership, of any group or of the given one', async () => {
      expect(await listed({ expiresBefore: inDays(7) })).toEqual([1]);
      expect(await listed({ expiresBefore: inDays(60) })).toEqual([1, 2]);
      expect(await listed({ expiresBefore: inDays(60), groupId: groups.choir })).toEqual([1, 2]);
      expect(await listed({ expiresBefore: inDays(60), groupId: groups.staff })).toEqual([]);
      expect(await listed({ expiresBefore: inDays(-2) })).toEqual([]);
      // The same time in another zone.
      const end = `${inDays(7).slice(0, -1)}-00:00`;
      expect(await listed({ expiresBefore: end })).toEqual([1]);
    });

    test('no members are in a group that is unknown or deleted', async () => {
      for (const groupId of [groups.gone, crypto.randomUUID()]) {
        expect(await listed({ groupId })).toEqual([]);
        expect(await listed({ groupId, sort: 'email' })).toEqual([]);
      }
    });

    test('a time or an id that is malformed is rejected', async () => {
      for (const query of ['groupId=choir', 'expiresBefore=tomorrow', 'expiresBefore=2026-02-30T00:00:00Z']) {
        expectResponse('listMembers', await site.get(`/members?${query}`), 400, 'invalid_request');
      }
    });
  });

  describe('searched', () => {
    const people = {
      ada: ['ada.lovelace@example.com', 'Ada Lovelace'],
      emile: ['zola@example.com', 'Émile Zola'],
      composed: ['dec@example.org', 'Rene\u0301 Descartes'],
      street: ['haus@example.com', 'Große Straße'],
      greek: ['homer@example.gr', 'Οδυσσεύς Σίσυφος'],
      russian: ['anna@example.ru', 'Анна Ахматова'],
      percent: ['percent@example.com', '100% sure'],
      underscore: ['under_score@example.com', 'snake_case'],
      backslash: ['back@example.com', 'C:\\temp\\new'],
      quote: ['quote@example.com', 'Dwayne "The Rock" O\'Neil'],
      operators: ['ops@example.com', 'NOT a AND b* (c) -d: ^e'],
      astral: ['music@example.com', 'Clef 𝄞 player 👩‍👩‍👧'],
      arabic: ['layla@example.com', 'ليلى مراد'],
      nameless: ['only.address@example.net', null],
    } as const;
    type Name = keyof typeof people;
    let site: TestSite;
    const idsByName = new Map<string, string>();

    beforeAll(async () => {
      site = await server.createSite();
      for (const [name, [email, displayName]] of Object.entries(people)) {
        idsByName.set((await aMember(site, { email, displayName })).id, name);
      }
    });

    const all = Object.keys(people) as Name[];
    const found: [string, Name[]][] = [
      ['ada', ['ada']],
      ['ADA LOVE', ['ada']],
      ['lovelace@EXAMPLE', ['ada']],
      ['é', ['emile', 'composed']],
      ['É', ['emile', 'composed']],
      ['e\u0301', ['emile', 'composed']],
      ['ÉMILE', ['emile']],
      ['rené', ['composed']],
      ['emile', []],
      ['straße', ['street']],
      ['STRASSE', ['street']],
      ['STRAẞE', ['street']],
      ['sse', ['street']],
      ['ΟΔΥΣ', ['greek']],
      ['οδυς', ['greek']],
      ['ΟΔΥΣΣΕΎΣ', ['greek']],
      ['ς σίσ', ['greek']],
      ['Σ Σ', ['greek']],
      ['АХМАТ', ['russian']],
      ['ан', ['russian']],
      ['я', []],
      ['%', ['percent']],
      ['0%', ['percent']],
      ['100% s', ['percent']],
      ['_', ['underscore']],
      ['r_s', ['underscore']],
      ['e_c', ['underscore']],
      ['a_a', []],
      ['%a%', []],
      ['\\', ['backslash']],
      ['\\t', ['backslash']],
      ['C:\\TEMP\\', ['backslash']],
      ['\\_', []],
      ['\\%', []],
      ['"', ['quote']],
      ['"the', ['quote']],
      ['"The Rock"', ['quote']],
      ["o'n", ['quote']],
      ['""', []],
      ["';--", []],
      ['a AND b', ['operators']],
      ['b*', ['operators']],
      ['(c) -d:', ['operators']],
      ['^e', ['operators']],
      ['ada OR zola', []],
      ['ada*', []],
      ['search_text:ada', []],
      ['𝄞', ['astral']],
      ['f 𝄞 p', ['astral']],
      ['👩‍👩‍👧', ['astral']],
      ['ليلى', ['arabic']],
      ['ONLY.address', ['nameless']],
      ['com ada', []],
      ['comada', []],
      ['com', all.filter((name) => people[name][0].endsWith('.com'))],
      ['@', all],
      ['example', all],
      ['e', all],
      ['.n', ['nameless']],
      ['x'.repeat(200), []],
      ['𝄞'.repeat(200), []],
      [' ', all.filter((name) => people[name][1]?.includes(' '))],
      ['  ', []],
    ];

    test.each(found)('for %j', async (q, names) => {
      for (const sort of ['createdAt', 'email']) {
        const members = await list(site, { q, sort });
        expect(members.map(({ id }) => idsByName.get(id)).sort()).toEqual(names.toSorted());
      }
    });
  });

  test('a search with very many matches returns all of them, in order', {
    timeout: 120_000,
  }, async () => {
    const site = await server.createSite();
    for (let round = 0; round < 3; round += 1) {
      const members = Array.from({ length: 500 }, (_, index) => ({
        email: `person-${round}-${index}@example.com`,
        displayName: index % 100 === 0 ? 'Rare bird' : 'Common bird',
        paid: index % 2 === 0,
      }));
      expectResponse('bulkCreateMembers', await site.post('/members/bulk', { members }), 207);
    }
    const common = await list(site, { q: 'common', sort: 'email', order: 'asc' });
    expect(common).toHaveLength(1_485);
    expect(common.map(({ email }) => email)).toEqual(common.map(({ email }) => email).toSorted());
    expect(await list(site, { q: 'bird', paid: 'true' })).toHaveLength(750);
    expect(await list(site, { q: 'rare', paid: 'true', sort: 'displayName' })).toHaveLength(15);
    expect(await list(site, { status: 'active', sort: 'email' })).toHaveLength(1_500);
    expect(await list(site, { paid: 'false' })).toHaveLength(750);
    expect(await list(site, { q: 'zz' })).toEqual([]);
    // Many matches on another site must not hide the few on this one.
    const other = await server.createSite();
    const member = await aMember(other, { displayName: 'Common bird' });
    expect(ids(await list(other, { q: 'common' }))).toEqual([member.id]);
  });
});
