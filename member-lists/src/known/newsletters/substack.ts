import type { KnownExport } from '../known-export.ts';

/**
 * The list of addresses of a publication, and the export of chosen columns of the subscribers. A row is a subscriber.
 * Who has canceled has access up to the end of the period, and is a free subscriber then.
 */
export const substack: KnownExport = {
  title: 'Substack',
  signatures: [
    ['email', 'active_subscription', 'email_disabled'],
    ['email', 'expiry', 'email_disabled', 'type'],
    ['Email', 'Start date', 'Activity', 'Revenue'],
    ['Email', 'Start date', 'Subscription source (free)'],
    ['Email', 'Subscription date', 'Activity', 'Subscription source (free)'],
  ],
  columns: {
    email: ['Email'],
    displayName: ['Name'],
    paid: ['active_subscription', 'Type', 'Subscription type'],
    groupsEndAt: ['Expiration date', 'Expires at', 'expiry'],
    registeredAt: ['Start date', 'Subscription date', 'created_at'],
  },
  groupHeadings: ['Type', 'Subscription type', 'Stripe plan', 'plan', 'Sections', 'Receiving emails for'],
  endedHeadings: ['Type', 'Subscription type', 'Stripe plan', 'plan'],
  groupSeparator: ',',
  noGroupWords: ['free', 'other'],
  clockTimeZone: 'UTC',
  // Substack leaves such an address where someone has deleted the account.
  states: [{ heading: 'Email', words: { '*@deletion-request.substack.com': 'leftOut' } }],
  paidWords: {
    '': false,
    true: true,
    false: false,
    free: false,
    paid: true,
    comp: true,
    gift: true,
    founding: true,
    ios_app: true,
    monthly: true,
    yearly: true,
    annual: true,
    'monthly subscriber': true,
    'yearly subscriber': true,
    'annual subscriber': true,
    'founding subscriber': true,
    'gift subscriber': true,
    'comp subscriber': true,
  },
};
