import type { KnownExport } from '../known-export.ts';

/**
 * Users, "Export". A row is an account: `active` is false before the address has been confirmed, and `staged` true if
 * the account was made for an email. Who is silenced can still read. `approved` says nothing where no one approves.
 */
export const discourse: KnownExport = {
  title: 'Discourse',
  signatures: [['username', 'email', 'trust_level', 'suspended_till', 'created_at']],
  columns: { email: ['email'], displayName: ['name'], registeredAt: ['created_at'] },
  groupHeadings: ['group_names'],
  hasQuotedNames: true,
  groupSeparator: ';',
  noGroupWords: ['trust_level_0', 'trust_level_1', 'trust_level_2', 'trust_level_3', 'trust_level_4'],
  clockTimeZone: 'UTC',
  states: [
    { heading: 'suspended_till', words: { '*': 'blocked' }, isUntil: true },
    { heading: 'active', words: { false: 'leftOut' } },
    { heading: 'staged', words: { true: 'leftOut' } },
  ],
};
