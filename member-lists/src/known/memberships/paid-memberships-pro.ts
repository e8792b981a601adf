import type { KnownExport } from '../known-export.ts';

const leftOut = { '': 'leftOut', '*': 'leftOut' } as const;

/**
 * Members List, "Export to CSV", of all versions. A row is a level of a member. Only the list of former members has
 * `ended` instead of `expires`.
 */
export const paidMembershipsPro: KnownExport = {
  title: 'Paid Memberships Pro',
  signatures: [
    ['username', 'firstname', 'lastname', 'email', 'membership', 'joined', 'expires'],
    ['username', 'firstname', 'lastname', 'email', 'membership', 'joined', 'ended'],
  ],
  columns: {
    email: ['email'],
    firstName: ['firstname'],
    lastName: ['lastname'],
    groupsEndAt: ['expires', 'ended'],
    registeredAt: ['joined'],
  },
  groupHeadings: ['membership'],
  endedHeadings: ['membership'],
  groupSeparator: '',
  states: [{ heading: 'ended', words: leftOut }],
};
