import type { KnownExport } from '../known-export.ts';

/**
 * Subscribers, "Export". A row is a subscriber. Each tier has a column of its own, with yes or no; `Free Tier` is always
 * there. Further columns are named by the customer.
 */
export const beehiiv: KnownExport = {
  title: 'Beehiiv',
  signatures: [
    ['email', 'status', 'created_at', 'api_subscription_id', 'acquisition_source'],
    ['email', 'status', 'created_at', 'Free Tier', 'unsubscribed_at'],
  ],
  columns: {
    email: ['email'],
    displayName: ['Name'],
    firstName: ['First Name'],
    lastName: ['Last Name'],
    paid: ['tier', 'Free Tier'],
    status: ['status'],
    registeredAt: ['created_at'],
  },
  groupHeadings: ['tags'],
  markHeadings: ['* Tier'],
  groupSeparator: ',',
  clockTimeZone: 'UTC',
  statusWords: { active: 'active', inactive: 'leftOut', pending: 'leftOut', invalid: 'leftOut' },
  states: [{ heading: 'unsubscribed_at', words: { '*': 'leftOut' } }],
  // Who is not in the free tier is in a paid one.
  paidWords: { premium: true, free: false, no: true, yes: false },
};
