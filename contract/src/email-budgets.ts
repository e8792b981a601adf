/** What bounds the emails of an hour. */
export const emailBudgetNames = ['mailbox', 'sender', 'sign_up', 'known_browser'] as const;
export type EmailBudgetName = (typeof emailBudgetNames)[number];

export const emailBudgetText =
  '`mailbox`: emails of one kind into one mailbox. `sender`: emails of one kind from one API key or operator to one ' +
  'person. `sign_up`: emails of the site to people who are not members yet. `known_browser`: emails that one browser, ' +
  'which has logged in before, requests for its member.';
