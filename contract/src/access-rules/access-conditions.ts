import { type Static, Type } from 'typebox';
import { dateTime, enumeration, exampleIds, request, text, uuid } from '../shared/schemas.ts';
import { maxAlternatives, maxNetworks, maxRuleCodes, maxRuleGroups } from './rule-limits.ts';

export { maxAlternatives, maxNetworks };

export const groupMatches = ['any', 'all'] as const;
export type GroupMatch = (typeof groupMatches)[number];

export const groupIds = Type.Array(uuid('An access group of the site.', exampleIds.group), {
  minItems: 1,
  maxItems: maxRuleGroups,
  description: 'The groups.',
});

export const pageCodeIds = Type.Array(uuid('A page code of the site.', exampleIds.pageCode), {
  minItems: 1,
  maxItems: maxRuleCodes,
  description: 'The page codes, of which one is enough.',
});

export const groupMatch = enumeration(
  groupMatches,
  '`any` (default): one of the groups is enough. `all`: every group is required.',
  'any',
);

export const AccessAlternative = request(
  'AccessAlternative',
  {
    access: enumeration(
      ['public', 'members', 'paying_members', 'code'],
      'Who: `public` everyone, `members` members who are not blocked, `paying_members` members who are not blocked ' +
        'and have `paid` set, `code` visitors who have entered one of the codes in `pageCodeIds`. `public` needs a time ' +
        'or networks.',
      'members',
    ),
    groupIds: Type.Optional({
      ...groupIds,
      description: 'The groups that are required. Not with `public` and `code`.',
    }),
    match: Type.Optional(groupMatch),
    pageCodeIds: Type.Optional({
      ...pageCodeIds,
      description: 'The page codes, of which one is enough. Only with `code`.',
    }),
    from: Type.Optional(dateTime('Not before this time.')),
    until: Type.Optional(dateTime('Only before this time.', '2026-03-31T22:00:00.000Z')),
    networks: Type.Optional(
      Type.Array(
        text('An IP address, or a network in CIDR notation (RFC 4632, RFC 4291).', '192.0.2.0/24', {
          minLength: 2,
          maxLength: 64,
        }),
        {
          minItems: 1,
          maxItems: maxNetworks,
          description: 'Only from an IP address in one of these networks.',
        },
      ),
    ),
  },
  { description: 'Requirements that must all be met.' },
);
export type AccessAlternative = Static<typeof AccessAlternative>;

/** What a check of an alternative can find: that it is met, or the first requirement that is not. */
export const alternativeResults = [
  'met',
  'from',
  'until',
  'networks',
  'login',
  'active',
  'paid',
  'groups',
  'code',
] as const;
export type AlternativeResult = (typeof alternativeResults)[number];
