import type { KnownExport } from '../known-export.ts';

/** Members, "Export" of Memberstack 2.0. A row is a member. Plans have ids; further columns are named by the customer. */
export const memberstack: KnownExport = {
  title: 'Memberstack',
  signatures: [['Member ID', 'email', 'CreatedAt', 'Free Plans (plan ids)', 'Paid Plans (price ids)']],
  columns: {
    email: ['email'],
    displayName: ['Name', 'Full Name'],
    firstName: ['First Name'],
    lastName: ['Last Name'],
    paid: ['Paid Plans (price ids)'],
    registeredAt: ['CreatedAt'],
  },
  groupHeadings: ['Free Plans (plan ids)', 'Paid Plans (price ids)'],
  groupSeparator: ',',
  clockTimeZone: 'UTC',
  paidWords: { '': false, '*': true },
};
