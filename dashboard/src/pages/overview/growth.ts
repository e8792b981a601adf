import type { Overview } from '@gatehouse/client';

export type Day = Overview['days'][number];

/** The number of current members who were already there at the end of each day. */
export function toGrowth(total: number, days: readonly Day[]): { date: string; members: number }[] {
  let members = total;
  return days
    .toReversed()
    .map(({ date, created }) => {
      const atItsEnd = members;
      members -= created;
      return { date, members: atItsEnd };
    })
    .reverse();
}

export function sumOf(days: readonly Day[], name: 'created' | 'logins'): number {
  return days.reduce((sum, day) => sum + day[name], 0);
}
