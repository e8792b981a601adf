import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findWrongNumbers } from '../../src/domain/overview/recount.ts';
import { aLoginLink } from '../contract/given.ts';
import { effort } from '../effort.ts';
import { movableTime } from '../movable-time.ts';
import { forEachStore } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { Visitor } from '../visitor.ts';

const minute = 60_000;
const someone = fc.nat({ max: 50 });

const step = fc.oneof(
  fc.record({
    do: fc.constant('add' as const),
    member: someone,
    minutes: fc.option(fc.integer({ min: 1, max: 5 })),
  }),
  fc.record({ do: fc.constant('take out' as const), member: someone }),
  fc.record({ do: fc.constant('delete a member' as const), member: someone }),
  fc.record({ do: fc.constant('create many' as const), count: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ do: fc.constant('create one' as const) }),
  fc.record({
    do: fc.constant('change' as const),
    member: someone,
    values: fc.record(
      { paid: fc.boolean(), status: fc.constantFrom('active', 'blocked') },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ do: fc.constant('log in' as const), member: someone }),
  fc.record({ do: fc.constant('let time pass' as const), minutes: fc.integer({ min: 1, max: 4 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock });

  test('the counts of groups and of the site equal what can be listed, at every step', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const site = await server.createSite();
        const groupIds = [await aGroup(site, 'One'), await aGroup(site, 'Two')];
        const memberIds: string[] = [];
        for (const [number, each] of steps.entries()) {
          await take(site, groupIds[number % 2]!, memberIds, each, number);
          for (const groupId of groupIds) await expectExactCount(site, groupId);
          expect(
            await findWrongNumbers({ db: server.database, siteId: site.siteId, now: clock().toISOString() }),
          ).toEqual([]);
        }
      }),
      { numRuns: 2 * effort.changeSeries },
    );
  });

  async function take(site: TestSite, groupId: string, memberIds: string[], each: Step, number: number) {
    const members = `/access-groups/${groupId}/members`;
    const chosen = 'member' in each ? memberIds[each.member % (memberIds.length || 1)] : undefined;
    const expectOneOf = ({ status }: { status: number }, ...expected: number[]) =>
      expect(expected).toContain(status);
    if (each.do === 'let time pass') advance(each.minutes * minute);
    if (each.do === 'create one') {
      const { body } = await site.post('/members', {
        email: `one-${number}@example.com`,
        accessGroupIds: [groupId],
      });
      memberIds.push(body.data.id);
    }
    if (each.do === 'create many') {
      const drafts = Array.from({ length: each.count }, (_, index) => ({
        email: `${number}-${index}@example.com`,
      }));
      // One duplicate, and one that cannot be created: neither counts.
      drafts.push({ email: drafts[0]!.email }, { email: 'nobody' });
      const { body } = await site.post('/members/bulk', { members: drafts, accessGroupIds: [groupId] });
      for (const item of body.data) if (item.status === 'created') memberIds.push(item.member.id);
    }
    if (chosen === undefined) return;
    if (each.do === 'add') {
      const expiresAt =
        each.minutes === null ? null : new Date(clock().getTime() + each.minutes * minute).toISOString();
      expectOneOf(await site.post(members, { memberId: chosen, expiresAt }), 201, 409, 404);
    }
    if (each.do === 'change') await site.patch(`/members/${chosen}`, each.values);
    if (each.do === 'log in') await logIn(site, chosen);
    if (each.do === 'take out') expectOneOf(await site.delete(`${members}/${chosen}`), 204, 404);
    if (each.do === 'delete a member') expectOneOf(await site.delete(`/members/${chosen}`), 204, 404);
  }
});

async function aGroup(site: TestSite, name: string): Promise<string> {
  return (await site.post('/access-groups', { name })).body.data.id;
}

/** A member who is blocked or deleted cannot log in. */
async function logIn(site: TestSite, memberId: string): Promise<void> {
  const { status, body } = await site.get(`/members/${memberId}`);
  if (status !== 200 || body.data.status === 'blocked') return;
  await new Visitor(site).post(`/_gatehouse/link/${await aLoginLink(site, memberId)}`);
}

async function expectExactCount(site: TestSite, groupId: string): Promise<void> {
  const { body: group } = await site.get(`/access-groups/${groupId}`);
  const { body: members } = await site.get(`/access-groups/${groupId}/members?limit=100`);
  expect(members.pagination.hasMore).toBe(false);
  expect(group.data.memberCount).toBe(members.data.length);
}
