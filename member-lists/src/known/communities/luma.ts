import type { KnownExport } from '../known-export.ts';

/** Guests of an event, "Download as CSV". A row is a registration. */
export const luma: KnownExport = {
  title: 'Luma',
  signatures: [['name', 'email', 'created_at', 'approval_status', 'ticket_name']],
  columns: {
    email: ['email'],
    displayName: ['name'],
    firstName: ['first_name'],
    lastName: ['last_name'],
    status: ['approval_status'],
    registeredAt: ['created_at'],
  },
  groupHeadings: ['ticket_name'],
  groupSeparator: '',
  clockTimeZone: 'UTC',
  statusWords: {
    approved: 'active',
    session: 'active',
    pending_approval: 'leftOut',
    pending: 'leftOut',
    waitlist: 'leftOut',
    invited: 'leftOut',
    declined: 'leftOut',
  },
};
