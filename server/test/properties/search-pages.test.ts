import type { Member } from '@gatehouse/contract';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { listMembers, type MemberQuery } from '../../src/domain/members/members.ts';
import { type SearchLimits, searchLimits } from '../../src/domain/members/search/search-limits.ts';
import { insertMemberships } from '../../src/domain/memberships/membership-store.ts';
import type { Queries } from '../../src/storage/database.ts';
import type { SiteData } from '../../src/storage/site-view.ts';
import { aGroup } from '../contract/given.ts';
import { effort } from '../effort.ts';
import { forEachStoreVersion } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';

const optional = <Value>(...values: Value[]) => fc.constantFrom(undefined, ...values);
/** The requests that create the members of a site. */
const requests = ['0f8fad5b-d9cb-469f-a165-70867728950e', '0f8fad5b-d9cb-469f-a165-70867728950f'] as const;
/** The ends of memberships: one has expired, one is soon, the other one is later. */
const ends = ['2026-01-01T00:00:00.000Z', '2120-01-01T00:00:00.000Z', '2130-01-01T00:00:00.000Z'] as const;
const filter = fc.record({
  group: optional(0, 1),
  expiresBefore: optional('2125-01-01T00:00:00.000Z', '2135-01-01T00:00:00.000Z'),
  createdByRequest: optional(...requests),
  // The last two consist of pieces that some members have, in other places.
  q: optional('a', 'an', 'ann', 'exam', 'example.com', 'xq', 'zzz', '.', 'ann bee', 'beexam', 'annexa'),
  status: optional('active', 'blocked'),
  paid: optional(true, false),
  verified: optional(true, false),
});
type Filter = typeof filter extends fc.Arbitrary<infer F> ? F : never;
const order = fc.record({
  sort: fc.constantFrom('createdAt', 'updatedAt', 'registeredAt', 'lastLoginAt', 'email', 'displayName'),
  order: fc.constantFrom('asc', 'desc'),
});

/** Limits so small that a page of a few members takes every path of a search, and ends early. */
const limits = fc.record({
  maxSorted: fc.constantFrom(0, 3, 1_000),
  maxSortedLate: fc.constantFrom(-1, 4, 10_000),
  firstStep: fc.integer({ min: 1, max: 3 }),
  firstScan: fc.integer({ min: 1, max: 4 }),
  maxScan: fc.integer({ min: 4, max: 8 }),
  sample: fc.constantFrom(1, 500),
});

/** What happens to the site after a statement. */
const disturbance = fc.record({
  kind: fc.constantFrom('nothing', 'nothing', 'create', 'rename', 'delete', 'leave'),
  seed: fc.nat(),
});
type Disturbance = typeof disturbance extends fc.Arbitrary<infer D> ? D : never;

const now = () => new Date().toISOString();

forEachStoreVersion((store) => {
  const server = useTestServer(store);

  /** The ids on all pages. A page that is not full names the next one, or is the last. */
  async function readAll(
    { db, siteId }: SiteData,
    query: Omit<MemberQuery, 'after'>,
    searchLimits: SearchLimits,
  ): Promise<{ seen: string[]; shortPages: number }> {
    const seen: string[] = [];
    let shortPages = 0;
    for (let after: string | undefined, pages = 0; ; pages += 1) {
      if (pages > 200) throw new Error('The list does not end.');
      const { data, pagination } = await listMembers(
        { db, siteId, now: now() },
        { ...query, ...(after && { after }) },
        searchLimits,
      );
      seen.push(...data.map(({ id }) => id));
      if (!pagination.hasMore) return { seen, shortPages };
      if (data.length < query.limit) shortPages += 1;
      after = pagination.nextCursor!;
    }
  }

  /** Those that match, in the order of the whole list, which is read without a search. */
  async function expectedOf(siteId: string, query: Omit<MemberQuery, 'after'>): Promise<Member[]> {
    const { sort, order, q, status, paid, verified, createdByRequest, groupId, expiresBefore } = query;
    const { data } = await listMembers(
      { db: server.database, siteId, now: now() },
      { sort, order, limit: 100 },
    );
    const created = new Set(
      (
        await server.database.all<{ id: string }>(
          sql`SELECT id FROM members WHERE site_id = ${siteId} AND created_by_request = ${createdByRequest ?? null}`,
        )
      ).map(({ id }) => id),
    );
    const belongs = new Set(
      (
        await server.database.all<{ memberId: string; groupId: string; expiresAt: string | null }>(sql`
          SELECT member_id AS "memberId", group_id AS "groupId", expires_at AS "expiresAt" FROM memberships
          WHERE site_id = ${siteId}`)
      )
        .filter((each) => groupId === undefined || each.groupId === groupId)
        .filter(({ expiresAt }) => expiresAt === null || expiresAt > now())
        .filter(({ expiresAt }) => !expiresBefore || (expiresAt !== null && expiresAt < expiresBefore))
        .map(({ memberId }) => memberId),
    );
    const isByMembership = groupId !== undefined || expiresBefore !== undefined;
    return data.filter(
      (member) =>
        (!isByMembership || belongs.has(member.id)) &&
        (createdByRequest === undefined || created.has(member.id)) &&
        (status === undefined || member.status === status) &&
        (paid === undefined || member.paid === paid) &&
        (verified === undefined || member.verified === verified) &&
        (q === undefined || `${member.email}\n${member.displayName ?? ''}`.toLowerCase().includes(q)),
    );
  }

  const withoutUndefined = <T extends object>(value: T) =>
    Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
      [K in keyof T]: Exclude<T[K], undefined>;
    };

  interface FilledSite {
    readonly site: TestSite;
    readonly ids: string[];
    readonly groupIds: string[];
  }

  /** The query of a filter on a site. */
  function queryOf({ groupIds }: FilledSite, { group, ...some }: Filter, rest: object) {
    const groupId = group === undefined ? undefined : groupIds[group];
    return { ...withoutUndefined({ ...some, groupId }), ...rest } as Omit<MemberQuery, 'after'>;
  }

  /** Two groups: one with most of the members, the other with half of those. */
  async function addGroups(site: TestSite, ids: readonly string[]): Promise<string[]> {
    const groupIds = [(await aGroup(site)).id, (await aGroup(site)).id];
    const memberships = ids.flatMap((memberId, index) =>
      groupIds
        .filter((_, group) => index % (group + 2) !== 1)
        .map((groupId, group) => ({ groupId, memberId, expiresAt: ends[(index + group) % 5] ?? null })),
    );
    await server.database.transaction(async (db) => {
      await insertMemberships(
        { db, siteId: site.siteId },
        memberships.map((each) => ({ ...each, source: 'api', addedAt: now() })),
      );
      // A job removes those that have expired, and counts them.
      await db.run(sql`
        UPDATE access_groups SET membership_count = ${ids.length} WHERE site_id = ${site.siteId}`);
    });
    return groupIds;
  }

  async function fillSite(): Promise<FilledSite> {
    const site = await server.createSite();
    const names = [
      'Ann',
      'Bee',
      null,
      'Ann Bee',
      'Cy xq',
      'ann',
      null,
      'Joan',
      'Dee',
      'Hannah',
      'Ann',
      'Eve',
    ];
    const drafts = names.map((displayName, index) => ({
      email: `${'dbface'[index % 6]}${index}@example.com`,
      displayName,
      paid: index % 3 === 0,
    }));
    const ids: string[] = [];
    // The first creates seven members, the second five.
    for (const [index, request] of requests.entries()) {
      const members = drafts.slice(7 * index, 7 + 7 * index);
      const { body } = await site.post('/members/bulk', { members }, { 'x-request-id': request });
      ids.push(...body.data.map(({ member }: { member: Member }) => member.id));
    }
    const fill = async (id: string, index: number) => {
      const verified = [true, false, null][index % 3]!;
      const status = index % 4 === 1 ? 'blocked' : 'active';
      const at = index % 5 === 0 ? null : `2026-01-0${(index % 3) + 1}T00:00:00.000Z`;
      await server.database.run(sql`
        UPDATE members SET verified = ${verified}, status = ${status}, last_login_at = ${at}, registered_at = ${at},
          updated_at = ${`2026-02-0${(index % 2) + 1}T00:00:00.000Z`}
        WHERE site_id = ${site.siteId} AND id = ${id}`);
    };
    await Promise.all(ids.map(fill));
    return { site, ids, groupIds: await addGroups(site, ids) };
  }

  let still: FilledSite;
  let shortPages = 0;
  beforeAll(async () => {
    still = await fillSite();
  });

  test('the pages of a search have exactly the members that match, in their order', async () => {
    await fc.assert(
      fc.asyncProperty(
        filter,
        order,
        limits,
        fc.integer({ min: 1, max: 5 }),
        async (some, by, small, limit) => {
          const query = queryOf(still, some, { ...by, limit });
          const { siteId } = still.site;
          const expected = (await expectedOf(siteId, query)).map(({ id }) => id);
          for (const each of [small, searchLimits[store.dialect]]) {
            const read = await readAll({ db: server.database, siteId }, query, each);
            expect(read.seen).toEqual(expected);
            shortPages += read.shortPages;
          }
        },
      ),
      { numRuns: effort.changeSeries * 20 },
    );
    expect(shortPages).toBeGreaterThan(0);
  });

  test('a search neither skips nor repeats a match that is not changed between its statements', async () => {
    await fc.assert(
      fc.asyncProperty(
        filter,
        order,
        limits,
        fc.integer({ min: 1, max: 5 }),
        fc.array(disturbance, { minLength: 4, maxLength: 12 }),
        async (some, by, small, limit, disturbances) => {
          const filled = await fillSite();
          const { site } = filled;
          const query = queryOf(filled, some, { ...by, limit });
          const before = await expectedOf(site.siteId, query);
          const changed = new Set<string>();
          const disturb = disturber(filled, changed, by.sort);
          const waiting = [...disturbances];
          const afterwards = async <T>(rows: Promise<T>) => {
            const result = await rows;
            const next = waiting.shift();
            if (next) await disturb(next);
            return result;
          };
          const db: Queries = {
            ...server.database,
            all: (statement) => afterwards(server.database.all(statement)) as never,
            get: (statement) => afterwards(server.database.get(statement)) as never,
          };
          const { seen } = await readAll({ db, siteId: site.siteId }, query, small);
          const stayed = before.map(({ id }) => id).filter((id) => !changed.has(id));
          expect(seen.filter((id) => stayed.includes(id))).toEqual(stayed);
        },
      ),
      { numRuns: effort.changeSeries * 5 },
    );
  });

  /** Makes changes to the site, and collects the members that were changed. */
  function disturber({ site, ids, groupIds }: FilledSite, changed: Set<string>, sort: MemberQuery['sort']) {
    // In these orders it would move the cursor, and with it the position of the reader.
    const renames = sort !== 'updatedAt' && sort !== 'displayName';
    let created = 0;
    return async ({ kind, seed }: Disturbance): Promise<void> => {
      const id = ids[seed % ids.length]!;
      if (kind === 'create') {
        const email = `${'gbe'[seed % 3]}-new-${++created}@example.com`;
        await site.post('/members', { email, displayName: seed % 2 ? 'Ann' : null, paid: seed % 3 === 0 });
      }
      if (kind === 'rename' && renames) {
        changed.add(id);
        await site.patch(`/members/${id}`, { displayName: ['Ann', 'Zed', null][seed % 3] });
      }
      if (kind === 'leave') {
        changed.add(id);
        await site.delete(`/access-groups/${groupIds[seed % 2]}/members/${id}`);
      }
      if (kind === 'delete') {
        changed.add(id);
        await site.delete(`/members/${id}`);
      }
    };
  }
});
