import type { Event, Member } from '@gatehouse/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../contract/test/any-character.ts';
import { expectResponse } from '../contract/answers.ts';
import { everyItem } from '../contract/given.ts';
import { forEachStore } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';

const names = fc.oneof(
  fc.constantFrom(null, '', ' ', 'Ada', ' Ada ', 'ada', 'Ada\nKing', '\u202eada', 'x'.repeat(201)),
  fc.string({ unit: anyCharacter, maxLength: 30 }).map((text) => text.toWellFormed()),
);
/** Few members, so that several items are about the same one; the last does not exist. */
const item = fc.record(
  { member: fc.integer({ min: 0, max: 4 }), displayName: names, paid: fc.boolean() },
  { requiredKeys: ['member'] },
);

forEachStore((store) => {
  const server = useTestServer(store);

  test('a bulk update has the results of as many updates of one member, and the same events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 15 }), async (items) => {
        const [alone, together] = [await aSiteWithMembers(), await aSiteWithMembers()];
        const single = [];
        for (const { member, ...values } of items) single.push(await updateAlone(alone, member, values));

        const members = items.map(({ member, ...values }) => ({ id: together.ids[member]!, ...values }));
        const answer = await together.site.post('/members/bulk-updates', { members });
        const { data, summary } = expectResponse('bulkUpdateMembers', answer, 207);
        const statuses = data.map((each: { status: string }) => each.status);
        expect(statuses).toEqual(single);
        const count = (status: string) => statuses.filter((each: string) => each === status).length;
        expect(summary).toEqual({
          total: items.length,
          updated: count('updated'),
          unchanged: count('unchanged'),
          failed: count('error'),
        });
        expect(await stateOf(together)).toEqual(await stateOf(alone));
      }),
      { numRuns: 25 },
    );
  });

  interface SiteWithMembers {
    readonly site: TestSite;
    readonly ids: readonly string[];
  }

  async function aSiteWithMembers(): Promise<SiteWithMembers> {
    const site = await server.createSite();
    const members = [0, 1, 2, 3].map((number) => ({
      email: `m${number}@example.com`,
      displayName: number === 0 ? null : 'Ada',
      paid: number === 1,
    }));
    const { data } = (await site.post('/members/bulk', { members })).body;
    const ids = data.map(({ member }: { member: Member }) => member.id);
    return { site, ids: [...ids, '01980a3e-7c1c-7033-b8d4-51a2e9c07d18'] };
  }

  /** What an item of a bulk update should have as its status. */
  async function updateAlone(
    { site, ids }: SiteWithMembers,
    member: number,
    values: object,
  ): Promise<string> {
    const path = `/members/${ids[member]}`;
    if (Object.keys(values).length === 0)
      return (await site.get(path)).status === 404 ? 'error' : 'unchanged';
    const before = await everyItem(site, '/events');
    const { status } = await site.patch(path, values);
    if (status !== 200) return 'error';
    return (await everyItem(site, '/events')).length === before.length ? 'unchanged' : 'updated';
  }

  async function stateOf({ site, ids }: SiteWithMembers) {
    const members = await everyItem(site, '/members?order=asc');
    const events: Event[] = await everyItem(site, '/events?type=member.updated');
    return {
      members: members.map(({ email, displayName, paid }) => ({ email, displayName, paid })),
      found: (await everyItem(site, '/members?q=ada&sort=email')).map(({ email }) => email),
      events: events.map(({ data }) => {
        const { memberId, ...rest } = data as { memberId: string };
        return { member: ids.indexOf(memberId), ...rest };
      }),
      overview: (await site.get('/overview')).body.data.members,
    };
  }
});
