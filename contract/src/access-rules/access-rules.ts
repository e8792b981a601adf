import { type Static, Type } from 'typebox';
import { maxDomainLength, maxSiteHosts } from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  dateTime,
  enumeration,
  exampleIds,
  flag,
  nullable,
  openEnumeration,
  request,
  shape,
  text,
  uuid,
  variants,
  withCommas,
} from '../shared/schemas.ts';
import {
  AccessAlternative,
  type AlternativeResult,
  alternativeResults,
  groupIds,
  groupMatch,
  maxAlternatives,
  pageCodeIds,
} from './access-conditions.ts';
import {
  maxAccessRules,
  maxQueryParameters,
  maxRequestPathLength,
  maxRuleCodes,
  maxRuleNames,
  maxRulePathLength,
} from './rule-limits.ts';

/** Maximum number of checks in one `POST /access-checks`. */
export const maxAccessChecks = 100;
/** Maximum number of characters of a path in an access check. */
export { maxRequestPathLength };

export const accessLevels = ['public', 'members', 'paying_members', 'groups', 'code', 'conditional'] as const;
export type AccessLevel = (typeof accessLevels)[number];

/** What a rule applies to. */
export const ruleReaches = ['folder', 'page'] as const;
export type RuleReach = (typeof ruleReaches)[number];

const ruleFields = {
  path: text(
    'The path starts with `/` and has no percent-encoding and no query; `/` is the whole site. Its last name may end ' +
      'in `*`: `/blog/premium-*` is every path in `/blog` whose name begins with `premium-`.',
    '/courses/rowing',
    { minLength: 1, maxLength: maxRulePathLength, pattern: '^/' },
  ),
  appliesTo: Type.Optional(
    enumeration(
      ruleReaches,
      '`folder` (default): the rule applies to the path and to everything below it that has no rule of its own. `page`: ' +
        'it applies only to the path itself and, if that is a folder, to its index page. A request with another method ' +
        'than GET and HEAD, or with a query, must also meet the rule that would apply without this one, because ' +
        'programs may show another page for it, as for `/?p=7`, or change something. `queryParameters` lists exceptions.',
      'folder',
    ),
  ),
  queryParameters: Type.Optional(
    Type.Array(
      text('The name of a parameter, in its exact case.', 'lang', {
        minLength: 1,
        maxLength: 100,
        pattern: '^[A-Za-z0-9_-]+$',
      }),
      {
        maxItems: maxQueryParameters,
        description:
          'Parameters that do not choose another page. A query of only these is treated as no query. Only with ' +
          '`appliesTo: page`.',
      },
    ),
  ),
  hosts: Type.Optional(
    Type.Array(
      text('A `domain` in `hosts` of the site.', 'forum.example.com', {
        minLength: 1,
        maxLength: maxDomainLength,
      }),
      {
        minItems: 1,
        maxItems: maxSiteHosts,
        description:
          'The hosts that the rule applies to. If left out, it applies to all hosts. On its hosts, the rule replaces the ' +
          'rule for all hosts with the same `path` and `appliesTo`. A rule for a folder also replaces the rule for all ' +
          'hosts for the page of that folder.',
      },
    ),
  ),
  acceptsTokenInUrl: Type.Optional(
    flag(
      'Whether programs can send the access token of a member in the query (`?access_token=gmt_…`) where this rule ' +
        'applies: for podcast apps and feed readers that know only a URL. Defaults to false.',
      true,
    ),
  ),
  programPaths: Type.Optional(
    flag(
      'Whether one program receives everything below this path as it is, also paths that servers read in different ' +
        'ways: `/pluginfile.php/7/plan.pdf`, `/api/queues/%2F/jobs`, `/wiki/C%23`. A path that a server may read as ' +
        'one outside is still denied. No other rule can be for a path below it, or for only its page. Access tokens ' +
        'for a path below it do not count. Defaults to false.',
      true,
    ),
  ),
  preflights: Type.Optional(
    flag(
      'Whether CORS preflights pass without a login where this rule applies: `OPTIONS` with `Origin` and ' +
        '`Access-Control-Request-Method`, without cookies, `Authorization` and a body. The program answers them. For a ' +
        'rule for a page, a query that is not in `queryParameters` also needs it on the rule of the folder. Defaults to ' +
        'false.',
      true,
    ),
  ),
};

const plainRule = request('PlainAccessRule', {
  ...ruleFields,
  access: enumeration(
    ['public', 'members', 'paying_members'],
    '`public`: everyone has access. `members`: members who are not blocked. `paying_members`: members who are ' +
      'not blocked and have `paid` set.',
    'members',
  ),
});

const groupRule = request('GroupAccessRule', {
  ...ruleFields,
  access: Type.Literal('groups', {
    description: 'Members who are not blocked and belong to the groups in `groupIds` have access.',
  }),
  groupIds,
  match: Type.Optional(groupMatch),
});

const codeRule = request('CodeAccessRule', {
  ...ruleFields,
  access: Type.Literal('code', {
    description:
      'Visitors who have entered one of the codes in `pageCodeIds` have access, members included. To give access to ' +
      'members without a code as well, use `conditional`.',
  }),
  pageCodeIds,
});

const conditionalRule = request('ConditionalAccessRule', {
  ...ruleFields,
  access: Type.Literal('conditional', {
    description: 'Visitors who meet all requirements of one of the alternatives in `anyOf` have access.',
  }),
  anyOf: Type.Array(AccessAlternative, {
    minItems: 1,
    maxItems: maxAlternatives,
    description: 'The alternatives.',
    examples: [[{ access: 'members', groupIds: [exampleIds.group] }, { access: 'paying_members' }]],
  }),
});

export const AccessRule = variants('access', [plainRule, groupRule, codeRule, conditionalRule], {
  title: 'AccessRule',
  description: 'Who has access to a path of the site, and by default to everything below it.',
});
export type AccessRule = Static<typeof AccessRule>;

const rules = Type.Array(AccessRule, {
  maxItems: maxAccessRules,
  description:
    'The rules, sorted by path. A path follows its own rule, then the longest matching rule with `*`, then the rule of ' +
    'its nearest ancestor. A path without a rule is accessible to members, but never to anonymous visitors.',
  examples: [
    [
      { path: '/', access: 'members' },
      { path: '/', appliesTo: 'page', access: 'public' },
      { path: '/blog/premium-*', access: 'paying_members' },
    ],
  ],
});

export const AccessRules = shape('AccessRules', 'All access rules of the site.', {
  rules,
  updatedAt: nullable(dateTime('When the rules were last changed; null if there have never been any.')),
});
export type AccessRules = Static<typeof AccessRules>;

export const ReplaceAccessRules = request(
  'ReplaceAccessRules',
  { rules },
  {
    description:
      `The whole tree. Rules that are left out are removed. All paths together have at most ${withCommas(maxRuleNames)} names; ` +
      'those of a rule with `hosts` count once for each host.',
  },
);
export type ReplaceAccessRules = Static<typeof ReplaceAccessRules>;

/** The reasons of an access decision. */
export const accessReasons = [
  'public',
  'member',
  'paying_member',
  'group_member',
  'page_code',
  'condition_met',
  'preflight',
  'anonymous',
  'blocked',
  'not_paying',
  'not_in_groups',
  'code_required',
  'condition_not_met',
  'ambiguous_path',
  'unknown_member',
  'site_suspended',
] as const;
export type AccessReason = (typeof accessReasons)[number];

export const accessReason = openEnumeration(
  accessReasons,
  'The reason. Allowed: `public`, `member`, `paying_member`, `group_member`, `page_code` (the visitor has ' +
    'entered a code), `condition_met`, `preflight` ' +
    '(a CORS preflight, which the rule allows). Denied: `anonymous` ' +
    '(the visitor is not logged in), `blocked`, `not_paying`, `not_in_groups`, `code_required`, `condition_not_met`, ' +
    '`ambiguous_path` (proxies, servers and programs may read this path in different ways, so access is denied to everyone), ' +
    '`unknown_member`, `site_suspended`.',
  'group_member',
);

const alternatives = Type.Unsafe<AlternativeResult[] | null>({
  type: ['array', 'null'],
  items: openEnumeration(alternativeResults, '`met`, or the first requirement that is not met.'),
  description:
    'For a conditional rule, each of its alternatives in the given order: `met`, or the first requirement that is ' +
    'not met. `from`: too early. `until`: too late. `networks`: another IP address. `login`: not logged in. `active`: ' +
    'blocked. `paid`, `groups`: not paying, not in the groups. `code`: none of the codes was entered. null for any ' +
    'other rule.',
  examples: [null],
});

export const AccessDecision = shape('AccessDecision', 'Whether access to a path is allowed, and why.', {
  allowed: flag('Whether access to the path is allowed.', true),
  reason: accessReason,
  rule: Type.Union([AccessRule, Type.Null()], {
    description:
      'The rule that applied; null if the decision did not depend on a rule or no rule applies to the path.',
  }),
  alternatives,
});
export type AccessDecision = Static<typeof AccessDecision>;

export const RuleDecision = shape(
  'RuleDecision',
  'Whether a member meets the requirements of a rule, and why.',
  {
    rule: AccessRule,
    allowed: flag('Whether the member meets the requirements of the rule.', true),
    reason: accessReason,
    alternatives,
  },
);
export type RuleDecision = Static<typeof RuleDecision>;

export const requestPath = text(
  'A path of the site as a browser requests it, with or without a query.',
  '/courses/rowing/week-1?lang=en',
  { minLength: 1, maxLength: maxRequestPathLength },
);

/** What a decision may depend on beside the visitor and the path. */
export const requestFields = {
  method: Type.Optional(
    text('The method of the request. Defaults to GET.', 'GET', {
      minLength: 1,
      maxLength: 32,
      pattern: '^[A-Za-z-]+$',
    }),
  ),
  preflight: Type.Optional(
    flag(
      'Whether the request is a CORS preflight; see `preflights` of rules. It has no member, and its method is ' +
        '`OPTIONS`. Defaults to false.',
      false,
    ),
  ),
  ipAddress: Type.Optional(
    text(
      'The IP address of the visitor. Without it, no alternative of a rule that requires a network is met.',
      '192.0.2.7',
      { minLength: 2, maxLength: 64 },
    ),
  ),
  host: Type.Optional(
    text('A `domain` in `hosts` of the site. Defaults to the primary host.', 'academy.example.com', {
      minLength: 1,
      maxLength: maxDomainLength,
    }),
  ),
};

/** Codes of which a check assumes that the visitor has entered them. */
const enteredCodeIds = Type.Array(uuid('A page code.', exampleIds.pageCode), {
  maxItems: maxRuleCodes,
  description: 'Page codes that the visitor has entered. Defaults to none.',
  examples: [[exampleIds.pageCode]],
});

export const AccessCheck = request(
  'AccessCheck',
  {
    memberId: Type.Optional(uuid('The member. Leave out both for an anonymous visitor.', exampleIds.member)),
    email: Type.Optional(
      text('The email address of the member, instead of `memberId`.', 'ada@example.com', {
        format: 'email',
        maxLength: 1_000,
      }),
    ),
    path: requestPath,
    pageCodeIds: Type.Optional(enteredCodeIds),
    ...requestFields,
  },
  { description: 'A check of one visitor and one path.' },
);
export type AccessCheck = Static<typeof AccessCheck>;

/** Rules of a check, which are not saved. */
export const unsavedRules = Type.Array(AccessRule, {
  maxItems: maxAccessRules,
  description:
    'All rules to decide by, instead of the saved ones: to try out a change before it is saved. They are validated ' +
    'like a replacement of the rules, and are not stored.',
  examples: [[{ path: '/', access: 'members' }]],
});

export const CheckAccess = request('CheckAccess', {
  checks: Type.Array(AccessCheck, {
    minItems: 1,
    maxItems: maxAccessChecks,
    description: `The checks, at most ${maxAccessChecks}.`,
    examples: [[{ email: 'ada@example.com', path: '/courses/rowing/week-1' }]],
  }),
  rules: Type.Optional(unsavedRules),
});
export type CheckAccess = Static<typeof CheckAccess>;

export const accessRules = new Resource({
  tag: 'Access',
  name: 'rules',
  read: 'site:read',
  write: 'site:write',
});

export const accessRuleOperations = named({
  getAccessRules: accessRules.get({
    path: '/access-rules',
    summary: 'Get the access rules',
    description: 'The whole tree of rules that the gate applies.',
    returns: AccessRules,
  }),
  replaceAccessRules: accessRules.replace({
    path: '/access-rules',
    summary: 'Replace the access rules',
    description:
      'Replaces the whole tree in one request. If one rule is invalid, nothing changes. An unknown group is rejected, unless ' +
      'the previous rules name it and it has been deleted since.',
    body: ReplaceAccessRules,
    returns: AccessRules,
    errors: ['access_group_not_found', 'page_code_not_found'],
  }),
  checkAccess: accessRules.lookUp({
    path: '/access-checks',
    summary: 'Check access to paths',
    description:
      'Decides up to 100 checks of the form "does this member have access to this path" in the same way as the gate. ' +
      'With `rules`, these decide instead of the saved ones. Changes nothing.',
    permission: 'members:read',
    body: CheckAccess,
    returns: Type.Object({ data: Type.Array(AccessDecision) }),
    success: 'One decision for each check, in the given order.',
    errors: ['access_group_not_found', 'page_code_not_found'],
  }),
  listMemberAccess: accessRules.listAll({
    path: '/members/{memberId}/access',
    summary: 'List what a member has access to',
    description:
      'Every access rule, with whether the member meets its requirements now, as the gate decides. The member has no IP ' +
      'address here and has entered no page code, so that an alternative that requires one of them is not met. Whether a ' +
      'request also has to meet the rule of the folder depends on the request; see `POST /access-checks`.',
    permission: 'members:read',
    furtherPermissions: [{ permission: 'site:read' }],
    returns: RuleDecision,
    success: 'One decision for each rule, in the order of the rules.',
  }),
});
