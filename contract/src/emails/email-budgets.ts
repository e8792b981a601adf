/** The budgets that limit the emails in an hour. */
export const emailBudgetNames = ['mailbox', 'sender', 'sign_up', 'known_browser'] as const;
export type EmailBudgetName = (typeof emailBudgetNames)[number];

export const emailBudgetText =
  '`mailbox`: emails of one kind into one mailbox. `sender`: emails of one kind from one API key or operator to one ' +
  'person. `sign_up`: emails of the site to people who are not members yet. `known_browser`: login emails that one ' +
  'known browser requests for its member.';
