/** The sections of the API reference, in the order in which they are shown. */
export const tags = {
  Members: 'Create, find, change, block and delete the members of the site.',
  'Access groups':
    'Named sets of members. Custom groups are created and changed here; scope groups follow a collection of an ' +
    'external workspace and are read-only.',
  Memberships: 'The members of access groups, and when each membership expires.',
  Invitations: 'Links with which people become members and join groups.',
  'Join requests': 'People who ask to become members or for access, and the decisions.',
  Sources:
    'External workspaces whose collections become scope groups, their synchronization, and lists that programs upload.',
  Sessions:
    'The sessions of members, login links, and the verification of sessions for programs that serve pages themselves.',
  Access: 'Access rules for the paths of the site, and access checks.',
  'Login providers': 'Servers where members have an account with which they can log in.',
  'Page codes': 'Codes that give access to pages without a login.',
  Site: 'The site that the API key belongs to.',
  'API keys': 'The credentials of programs for the API, each for this site only.',
  Operators: 'The people who manage the site in the dashboard, each with a role.',
  Emails: 'The emails of the site and their delivery.',
  Events: 'The events of the site in order: the feed behind the audit log.',
  Webhooks: 'Receivers of events: each event is sent to them, signed, as it happens.',
  API: 'The API itself.',
} as const;

export type Tag = keyof typeof tags;
