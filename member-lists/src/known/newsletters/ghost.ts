import type { KnownExport } from '../known-export.ts';

/** Members, "Export all members". A row is a member. Older versions have `products` instead of `tiers`, or neither. */
export const ghost: KnownExport = {
  title: 'Ghost',
  signatures: [['email', 'name', 'subscribed_to_emails', 'complimentary_plan', 'stripe_customer_id']],
  columns: {
    email: ['email'],
    displayName: ['name'],
    registeredAt: ['created_at'],
    paid: ['tiers', 'products'],
  },
  groupHeadings: ['tiers', 'products', 'labels'],
  groupSeparator: ',',
  paidWords: { '': false, '*': true },
  states: [{ heading: 'deleted_at', words: { '*': 'leftOut' } }],
};
