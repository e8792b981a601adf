import fc from 'fast-check';
import { expect, test } from 'vitest';
import { effort } from '../effort.ts';
import { forEachStoreVersion } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';

const sorts = ['createdAt', 'updatedAt', 'registeredAt', 'lastLoginAt', 'email', 'displayName'] as const;
const orders = ['asc', 'desc'] as const;
const filters = ['', '&paid=true', '&q=a', '&status=active&q=example'] as const;

/** A change of a site between two pages. */
const disturbance = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), seed: fc.nat(), paid: fc.boolean() }),
  fc.record({ kind: fc.constant('delete' as const), seed: fc.nat() }),
  fc.record({ kind: fc.constant('delete the cursor' as const), seed: fc.nat() }),
  fc.record({ kind: fc.constant('join or leave' as const), seed: fc.nat() }),
);
type Disturbance = typeof disturbance extends fc.Arbitrary<infer D> ? D : never;

/** The members of a site, with the fields that the lists depend on. */
interface MemberDraft {
  id: string;
  paid: boolean;
  inGroup: boolean;
}

forEachStoreVersion((store) => {
  const server = useTestServer(store);

  test.each(sorts.flatMap((sort) => orders.map((order) => [sort, order] as const)))(
    'reading all pages of members by %s, %s, skips and repeats no member that was present throughout',
    async (sort, order) => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...filters),
          fc.integer({ min: 1, max: 4 }),
          fc.array(disturbance, { maxLength: 8 }),
          async (filter, limit, disturbances) => {
            const scene = await setScene(await server.createSite());
            const there = await scene.readAllPages(
              `/members?sort=${sort}&order=${order}${filter}&limit=100`,
              0,
              [],
            );
            const path = `/members?sort=${sort}&order=${order}${filter}&limit=${limit}`;
            const seen = await scene.readAllPages(path, 1, disturbances);
            expectFaithful(seen, there, scene.gone);
          },
        ),
        { numRuns: effort.changeSeries },
      );
    },
  );

  test('reading all pages of a group skips and repeats no member that was in it throughout', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(disturbance, { maxLength: 10 }),
        async (limit, disturbances) => {
          const scene = await setScene(await server.createSite());
          const path = `/access-groups/${scene.groupId}/members`;
          const there = await scene.readAllPages(`${path}?limit=100`, 0, []);
          const seen = await scene.readAllPages(`${path}?limit=${limit}`, 1, disturbances);
          expectFaithful(seen, there, new Set([...scene.gone, ...scene.left]));
        },
      ),
      { numRuns: 2 * effort.changeSeries },
    );
  });

  test('reading all pages of events returns each once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 7 }),
        fc.array(disturbance, { maxLength: 8 }),
        async (limit, disturbances) => {
          const site = await server.createSite();
          const scene = await setScene(site);
          const seen = await scene.readAllPages(`/events?limit=${limit}`, 1, disturbances);
          const all = await scene.readAllPages('/events?limit=100', 0, []);
          expect(seen).toEqual(all.slice(0, seen.length));
          expect(new Set(all).size).toBe(all.length);
        },
      ),
      { numRuns: 2 * effort.changeSeries },
    );
  });

  test('reading all pages of groups skips and repeats none that was present throughout', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        async (limit, seeds) => {
          const site = await server.createSite();
          const ids: string[] = [];
          for (let number = 0; number < 7; number += 1) ids.unshift(await addGroup(site, `Group ${number}`));
          const gone = new Set<string>();
          const seen: string[] = [];
          for (let after = ''; ; ) {
            const { body } = await site.get(`/access-groups?limit=${limit}${after}`);
            seen.push(...body.data.map(({ id }: { id: string }) => id));
            if (!body.pagination.hasMore) break;
            after = `&after=${body.pagination.nextCursor}`;
            const seed = seeds.pop();
            if (seed === undefined) continue;
            const doomed = seed % 2 === 0 ? body.pagination.nextCursor : ids[seed % ids.length]!;
            await site.delete(`/access-groups/${doomed}`);
            gone.add(doomed);
            await addGroup(site, `New ${seeds.length}`);
          }
          expectFaithful(seen, ids, gone);
        },
      ),
      { numRuns: 2 * effort.changeSeries },
    );
  });
});

/** Checks that there are no duplicates, and that all items present from start to end are returned in order. */
function expectFaithful(seen: readonly string[], there: readonly string[], gone: ReadonlySet<string>): void {
  expect(new Set(seen).size).toBe(seen.length);
  const stayed = there.filter((id) => !gone.has(id));
  const known = new Set(stayed);
  expect(seen.filter((id) => known.has(id))).toEqual(stayed);
}

/** A site with a dozen members, some of them in a group, and functions to read its lists while it changes. */
async function setScene(site: TestSite) {
  const groupId = await addGroup(site, 'Course');
  const members: MemberDraft[] = [];
  const gone = new Set<string>();
  const left = new Set<string>();
  let added = 0;

  function newMember(paid: boolean, displayName: string | null) {
    added += 1;
    return { email: `${'dbface'[added % 6]}${added}@example.com`, displayName, paid };
  }

  async function add(drafts: ReturnType<typeof newMember>[], inGroup: boolean): Promise<void> {
    const accessGroupIds = inGroup ? [groupId] : [];
    const { body } = await site.post('/members/bulk', { members: drafts, accessGroupIds });
    for (const { member } of body.data) members.push({ id: member.id, paid: member.paid, inGroup });
  }

  async function remove(id: string): Promise<void> {
    if ((await site.delete(`/members/${id}`)).status === 204) gone.add(id);
  }

  async function joinOrLeave(person: MemberDraft): Promise<void> {
    if (gone.has(person.id)) return;
    const path = `/access-groups/${groupId}/members`;
    if (person.inGroup) {
      await site.delete(`${path}/${person.id}`);
      left.add(person.id);
    } else await site.post(path, { memberId: person.id });
    person.inGroup = !person.inGroup;
  }

  async function disturb(change: Disturbance, cursor: string): Promise<void> {
    const someone = members[change.seed % members.length]!;
    if (change.kind === 'add')
      await add([newMember(change.paid, change.seed % 2 ? 'Ada' : null)], change.seed % 3 !== 0);
    if (change.kind === 'delete') await remove(someone.id);
    if (change.kind === 'delete the cursor') await remove(cursor);
    if (change.kind === 'join or leave') await joinOrLeave(someone);
  }

  const dozen = Array.from({ length: 12 }, (_, number) =>
    newMember(number % 2 === 0, number % 4 === 0 ? null : 'Bea Anna Cy'.split(' ')[number % 3]!),
  );
  for (const start of [0, 6]) {
    await add(dozen.slice(start, start + 4), true);
    await add(dozen.slice(start + 4, start + 6), false);
  }
  return {
    groupId,
    gone,
    left,
    /** Reads a list to its end; before each further page some of the changes are made. */
    async readAllPages(path: string, perPage: number, changes: readonly Disturbance[]): Promise<string[]> {
      const waiting = [...changes];
      const seen: string[] = [];
      for (let after = ''; ; ) {
        const { status, body } = await site.get(path + after);
        expect(status).toBe(200);
        seen.push(...body.data.map(({ id }: { id: string }) => id));
        if (!body.pagination.hasMore) return seen;
        after = `&after=${body.pagination.nextCursor}`;
        for (const change of waiting.splice(0, perPage)) await disturb(change, body.pagination.nextCursor);
      }
    },
  };
}

async function addGroup(site: TestSite, name: string): Promise<string> {
  return (await site.post('/access-groups', { name })).body.data.id;
}
