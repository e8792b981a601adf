import type { KnownExport } from '../known-export.ts';

/** Members, "Export". A row is a plan of a member, or a member without one. */
export const memberful: KnownExport = {
  title: 'Memberful',
  signatures: [['Full Name', 'Email', 'Memberful ID']],
  columns: {
    email: ['Email'],
    displayName: ['Full Name'],
    paid: ['Active'],
    status: ['Active'],
    groupsEndAt: ['Expiration date', 'End date'],
    registeredAt: ['Created at'],
  },
  groupHeadings: ['Plan'],
  endedHeadings: ['Plan'],
  groupSeparator: '',
  statusWords: { yes: 'active', no: 'leftOut' },
  paidWords: { '': false, yes: true, no: false },
};
