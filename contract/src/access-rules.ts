import Type, { type Static } from 'typebox';
import type { Operation } from './operation.ts';
import { maxAccessRules, maxRequestPathLength, maxRuleGroups, maxRulePathLength } from './rule-paths.ts';
import {
  dateTime,
  enumeration,
  exampleIds,
  nothing,
  nullable,
  openEnumeration,
  single,
  uuid,
  variants,
} from './schemas.ts';

/** Most questions of one `POST /access-checks`. */
export const mostAccessChecks = 100;
/** Most characters of a path that is asked about. */
export const longestRequestPath = maxRequestPathLength;

export const accessLevels = ['public', 'members', 'paying_members', 'groups'] as const;
export type AccessLevel = (typeof accessLevels)[number];

export const groupMatches = ['any', 'all'] as const;
export type GroupMatch = (typeof groupMatches)[number];

const rulePath = Type.String({
  minLength: 1,
  maxLength: maxRulePathLength,
  pattern: '^/',
  description:
    'Where the rule begins to hold: this path and everything below it, down to the next rule. It starts with `/`, is ' +
    'written plainly (no percent-encoding, no query), and `/` is the whole site.',
  examples: ['/courses/rowing'],
});

export const AccessRule = variants(
  'access',
  [
    Type.Object(
      {
        path: rulePath,
        access: enumeration(['public', 'members', 'paying_members'], {
          description:
            '`public`: everybody may see it. `members`: members who are not blocked. `paying_members`: those of them with `paid`.',
          examples: ['members'],
        }),
      },
      { title: 'PlainAccessRule', additionalProperties: false },
    ),
    Type.Object(
      {
        path: rulePath,
        access: Type.Literal('groups', {
          description: 'Members who are not blocked and are in the groups of `groupIds` may see it.',
        }),
        groupIds: Type.Array(uuid('An access group of the site.', exampleIds.group), {
          minItems: 1,
          maxItems: maxRuleGroups,
          description: 'The groups.',
        }),
        match: Type.Optional(
          enumeration(groupMatches, {
            description:
              '`any` (taken when left out): one of the groups is enough. `all`: it takes every one.',
            examples: ['any'],
          }),
        ),
      },
      { title: 'GroupAccessRule', additionalProperties: false },
    ),
  ],
  { title: 'AccessRule', description: 'Who may see a path of the site and what lies below it.' },
);
export type AccessRule = Static<typeof AccessRule>;

const rules = Type.Array(AccessRule, {
  maxItems: maxAccessRules,
  description:
    'The rules, sorted by path. A path follows the rule of its nearest ancestor; where there is none it is open to ' +
    'members, never to strangers.',
});

export const AccessRules = Type.Object(
  {
    rules,
    updatedAt: nullable(dateTime('When the rules were last changed; null when there never were any.')),
  },
  { title: 'AccessRules', description: 'All the access rules of the site.' },
);
export type AccessRules = Static<typeof AccessRules>;

export const ReplaceAccessRules = Type.Object(
  { rules },
  {
    title: 'ReplaceAccessRules',
    description: 'The whole tree. What is left out is gone.',
    additionalProperties: false,
  },
);
export type ReplaceAccessRules = Static<typeof ReplaceAccessRules>;

/** Why somebody may see a path, or may not. */
export const accessReasons = [
  'public',
  'member',
  'paying_member',
  'group_member',
  'stranger',
  'blocked',
  'not_paying',
  'not_in_groups',
  'ambiguous_path',
  'unknown_member',
  'site_suspended',
] as const;
export type AccessReason = (typeof accessReasons)[number];

export const AccessDecision = Type.Object(
  {
    allowed: Type.Boolean({ description: 'Whether the path is open.', examples: [true] }),
    reason: openEnumeration(accessReasons, {
      description:
        'Why. Open: `public`, `member`, `paying_member`, `group_member`. Shut: `stranger` (nobody is logged in), `blocked`, ' +
        '`not_paying`, `not_in_groups`, `ambiguous_path` (proxies and servers may read this path in different ways, so ' +
        'nobody sees it), `unknown_member`, `site_suspended`.',
      examples: ['group_member'],
    }),
    rule: Type.Union([AccessRule, Type.Null()], {
      description: 'The rule that decided; null where no rule had to, or none holds for the path.',
    }),
  },
  { title: 'AccessDecision', description: 'Whether somebody may see a path, and why.' },
);
export type AccessDecision = Static<typeof AccessDecision>;

export const requestPath = Type.String({
  minLength: 1,
  maxLength: longestRequestPath,
  description: 'A path of the site as a browser asks for it, with or without a query.',
  examples: ['/courses/rowing/week-1?lang=en'],
});

export const AccessCheck = Type.Object(
  {
    memberId: Type.Optional(uuid('The member. Leave out both for a stranger.', exampleIds.member)),
    email: Type.Optional(
      Type.String({
        format: 'email',
        maxLength: 1_000,
        description: 'The address of the member, in place of `memberId`.',
        examples: ['ada@example.com'],
      }),
    ),
    path: requestPath,
  },
  { title: 'AccessCheck', description: 'A question.', additionalProperties: false },
);
export type AccessCheck = Static<typeof AccessCheck>;

export const CheckAccess = Type.Object(
  {
    checks: Type.Array(AccessCheck, {
      minItems: 1,
      maxItems: mostAccessChecks,
      description: `The questions, at most ${mostAccessChecks}.`,
      examples: [[{ email: 'ada@example.com', path: '/courses/rowing/week-1' }]],
    }),
  },
  { title: 'CheckAccess', additionalProperties: false },
);
export type CheckAccess = Static<typeof CheckAccess>;

export const getAccessRules = {
  id: 'getAccessRules',
  method: 'GET',
  path: '/access-rules',
  tag: 'Access',
  summary: 'Get the access rules',
  description: 'The whole tree of rules that the gate goes by.',
  permission: 'site:read',
  params: nothing,
  query: nothing,
  body: null,
  success: { status: 200, description: 'The rules.', body: single(AccessRules), headers: ['ETag'] },
  errors: [],
} as const satisfies Operation;

export const replaceAccessRules = {
  id: 'replaceAccessRules',
  method: 'PUT',
  path: '/access-rules',
  tag: 'Access',
  summary: 'Replace the access rules',
  description:
    'Sets the whole tree at once. It is checked as a whole: when one rule is wrong nothing changes. An unknown group is ' +
    'refused, unless the rules named it before and it was deleted since.',
  permission: 'site:write',
  params: nothing,
  query: nothing,
  body: ReplaceAccessRules,
  success: {
    status: 200,
    description: 'The rules after the change.',
    body: single(AccessRules),
    headers: ['ETag'],
  },
  errors: ['access_group_not_found'],
} as const satisfies Operation;

export const checkAccess = {
  id: 'checkAccess',
  method: 'POST',
  path: '/access-checks',
  readOnly: true,
  tag: 'Access',
  summary: 'Check who may see what',
  description:
    'Answers up to 100 questions of the kind "may this member see this path", as the gate would. Changes nothing.',
  permission: 'members:read',
  params: nothing,
  query: nothing,
  body: CheckAccess,
  success: {
    status: 200,
    description: 'One answer for each question, in their order.',
    body: Type.Object({ data: Type.Array(AccessDecision) }),
    headers: [],
  },
  errors: [],
} as const satisfies Operation;
