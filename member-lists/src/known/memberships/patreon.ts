import type { KnownExport } from '../known-export.ts';

/**
 * Relationship manager, "CSV". A row is a member of the campaign. Who has canceled stays an active patron up to
 * "Access Expiration"; followers and free members have no status.
 */
export const patreon: KnownExport = {
  title: 'Patreon',
  signatures: [['Name', 'Email', 'Patron Status', 'Follows You']],
  columns: {
    email: ['Email'],
    displayName: ['Name'],
    paid: ['Patron Status'],
    status: ['Patron Status'],
    groupsEndAt: ['Access Expiration'],
    registeredAt: ['Patronage Since Date'],
  },
  groupHeadings: ['Tier'],
  endedHeadings: ['Tier'],
  // A tier can have commas in its name, and a row has only one.
  groupSeparator: '',
  clockTimeZone: 'UTC',
  statusWords: { 'active patron': 'active', 'declined patron': 'blocked', 'former patron': 'leftOut' },
  paidWords: { '': false, 'active patron': true, 'declined patron': false, 'former patron': false },
};
