import type { KnownExport } from '../known-export.ts';

/** Members, "Export as CSV". A row is a membership: `not_renewing` has access up to its end. */
export const steady: KnownExport = {
  title: 'Steady',
  signatures: [['email', 'plan_name', 'plan_monthly_amount_cents', 'subscription_state']],
  columns: {
    email: ['email'],
    firstName: ['first_name'],
    lastName: ['last_name'],
    paid: ['subscription_state'],
    status: ['subscription_state'],
    groupsEndAt: ['expires_at'],
    registeredAt: ['subscribed_at'],
  },
  groupHeadings: ['plan_name'],
  endedHeadings: ['plan_name'],
  groupSeparator: '',
  furtherEndHeadings: ['trial_ends_at'],
  statusWords: {
    active: 'active',
    in_trial: 'active',
    trial: 'active',
    guest: 'active',
    not_renewing: 'active',
    cancelled: 'leftOut',
  },
  paidWords: { active: true, in_trial: true, trial: true, guest: true, not_renewing: true, cancelled: false },
};
