/** The chapters of the API, in the order in which the reference shows them. */
export const tags = {
  Members: 'The people of the site: create, find, change, block and delete them.',
  'Access groups':
    'Named sets of members. A custom group is made and changed here; a scope group follows a collection of an ' +
    'external workspace and is read-only.',
  Memberships: 'Who is in which access group, and until when.',
  Sessions:
    'Who is logged in where, login links, and the check of a session for programs that serve pages themselves.',
  Access: 'Who may see which path of the site.',
  Site: 'The site that the API key belongs to.',
  'API keys': 'What programs open the API with, each for this site alone.',
  Operators: 'The people who run the site at the dashboard, each in a role.',
  Mails: 'What the site has written to whom, and what became of it.',
  Events: 'What has happened on the site, in order: the feed behind the audit log.',
  API: 'The API itself.',
} as const;

export type Tag = keyof typeof tags;
