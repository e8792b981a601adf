/** The texts of each part of the dashboard. The English files define the keys. */
export interface TextAreas {
  shell: typeof import('./en/shell.json');
  common: typeof import('./en/common.json');
  errors: typeof import('./en/errors.json');
  overview: typeof import('./en/overview.json');
  attention: typeof import('./en/attention.json');
  setUp: typeof import('./en/setUp.json');
  members: typeof import('./en/members.json');
  member: typeof import('./en/member.json');
  add: typeof import('./en/add.json');
  invitations: typeof import('./en/invitations.json');
  joinRequests: typeof import('./en/joinRequests.json');
  ends: typeof import('./en/ends.json');
  groups: typeof import('./en/groups.json');
  codes: typeof import('./en/codes.json');
  access: typeof import('./en/access.json');
  rules: typeof import('./en/rules.json');
  events: typeof import('./en/events.json');
  sources: typeof import('./en/sources.json');
  webhooks: typeof import('./en/webhooks.json');
  keys: typeof import('./en/keys.json');
  credentials: typeof import('./en/credentials.json');
  settings: typeof import('./en/settings.json');
  login: typeof import('./en/login.json');
  emails: typeof import('./en/emails.json');
  operators: typeof import('./en/operators.json');
  me: typeof import('./en/me.json');
  sites: typeof import('./en/sites.json');
  search: typeof import('./en/search.json');
  shortcuts: typeof import('./en/shortcuts.json');
}

export type TextArea = keyof TextAreas;
