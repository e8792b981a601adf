import type { KnownExport } from './known-export.ts';

/** Members, "Export all members". A row is a member. */
export const ghost: KnownExport = {
  name: 'ghost',
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
};
