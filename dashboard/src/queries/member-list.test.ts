import type { Gatehouse, ListMembers, Member } from '@gatehouse/client';
import { expect, test } from 'vitest';
import { findNeighbors } from './member-list.ts';

/** A list that is sorted like that of the API: members without a value come last in both directions. */
function aSite(values: readonly (string | null)[]) {
  const members = values.map((lastLoginAt, index) => ({ id: `${index}`, lastLoginAt }) as Member);
  const list = ({ order, after, limit }: ListMembers) => {
    const sorted = (each: Member[]) => (order === 'asc' ? each : each.toReversed());
    const withValue = members
      .filter(({ lastLoginAt }) => lastLoginAt !== null)
      .sort((one, other) => (one.lastLoginAt! < other.lastLoginAt! ? -1 : 1));
    const all = [...sorted(withValue), ...sorted(members.filter((each) => each.lastLoginAt === null))];
    const data = all.slice(all.findIndex(({ id }) => id === after) + 1).slice(0, limit);
    return {
      pages: async function* () {
        yield { data, pagination: { hasMore: false, nextCursor: null } };
      },
    };
  };
  return { gatehouse: { members: { list } } as unknown as Gatehouse, members };
}

const { signal } = new AbortController();

test.each(['asc', 'desc'] as const)('members follow each other as in a list sorted %s', async (order) => {
  const { gatehouse, members } = aSite(['b', null, 'a', 'c', null]);
  const filter = { sort: 'lastLoginAt', order } as const;
  const ids = order === 'asc' ? ['2', '0', '3', '1', '4'] : ['3', '0', '2', '4', '1'];
  for (const [index, id] of ids.entries()) {
    const member = members.find((each) => each.id === id)!;
    expect(await findNeighbors(gatehouse, filter, member, signal)).toEqual({
      previous: ids[index - 1],
      next: ids[index + 1],
    });
  }
});
