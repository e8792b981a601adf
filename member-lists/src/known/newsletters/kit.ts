import type { KnownExport } from '../known-export.ts';

/** Subscribers, "Export". A row is a subscriber. Further columns are named by the customer. */
export const kit: KnownExport = {
  title: 'Kit',
  signatures: [['first_name', 'email_address', 'state', 'created_at']],
  columns: {
    email: ['email_address'],
    firstName: ['first_name'],
    lastName: ['last_name'],
    status: ['state'],
    registeredAt: ['created_at'],
  },
  groupHeadings: ['tags'],
  groupSeparator: ',',
  clockTimeZone: 'UTC',
  statusWords: {
    active: 'active',
    confirmed: 'active',
    cold: 'active',
    inactive: 'leftOut',
    unconfirmed: 'leftOut',
    cancelled: 'leftOut',
    unsubscribed: 'leftOut',
    bounced: 'leftOut',
    complained: 'leftOut',
  },
};
