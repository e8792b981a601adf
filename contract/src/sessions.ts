import Type, { type Static } from 'typebox';
import { AccessDecision, requestPath } from './access-rules.ts';
import { MemberWithGroups } from './member.ts';
import type { Operation } from './operation.ts';
import {
  dateTime,
  exampleIds,
  memberIdParameter,
  noControlCharacters,
  nothing,
  nullable,
  page,
  pageParameters,
  single,
  uuid,
} from './schemas.ts';

export const Session = Type.Object(
  {
    id: uuid('The session.', exampleIds.session),
    memberId: uuid('The member who is logged in.', exampleIds.member),
    createdAt: dateTime('When the member logged in.'),
    lastSeenAt: dateTime('When it was last used, to the hour.', '2026-02-14T18:05:12.345Z'),
    expiresAt: dateTime('When it ends by itself unless it is used before.', '2026-03-16T18:05:12.345Z'),
    userAgent: nullable(
      Type.String({
        description: 'The browser, as it calls itself; null if it did not say.',
        examples: ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36'],
      }),
    ),
    clientAddress: nullable(
      Type.String({ description: 'The address it was opened from.', examples: ['203.0.113.7'] }),
    ),
  },
  { title: 'Session', description: 'A browser in which a member is logged in.' },
);
export type Session = Static<typeof Session>;

export const VerifySession = Type.Object(
  {
    token: Type.Optional(
      nullable(
        Type.String({
          maxLength: 200,
          description:
            'The value of the session cookie; null, or left out, for a visitor without one. The cookie is ' +
            '`__Host-gatehouse_session`, and `gatehouse_session` on a site without https.',
          examples: ['8vJ0mB0y2nTjXo5zq7bYw3ZkQ1cR9sLdE4fGhIjKlMn'],
        }),
      ),
    ),
    path: Type.Optional(requestPath),
  },
  { title: 'VerifySession', additionalProperties: false },
);
export type VerifySession = Static<typeof VerifySession>;

export const VerifiedSession = Type.Object(
  {
    session: Type.Unsafe<Session | null>({
      ...Type.Object(Session.properties, { title: 'CurrentSession' }),
      type: ['object', 'null'],
      description: 'The session in force that the token opens; null if there is none.',
    }),
    member: Type.Unsafe<MemberWithGroups | null>({
      ...Type.Object(MemberWithGroups.properties, { title: 'LoggedInMember' }),
      type: ['object', 'null'],
      description: 'The member who is logged in; null if nobody is.',
    }),
    access: Type.Unsafe<AccessDecision | null>({
      ...Type.Object(AccessDecision.properties, { title: 'AccessToPath' }),
      type: ['object', 'null'],
      description: 'Whether the visitor may see `path`; null if no path was given.',
    }),
    loginUrl: nullable(
      Type.String({
        description:
          'Where to send a stranger: the login page of the site, which leads back to `path`. null while the site has no domain.',
        examples: ['https://academy.example.com/_gatehouse/login?next=%2Fcourses'],
      }),
    ),
  },
  { title: 'VerifiedSession', description: 'Who a visitor is, and what the visitor may see.' },
);
export type VerifiedSession = Static<typeof VerifiedSession>;

export const CreateLoginLink = Type.Object(
  {
    send: Type.Optional(
      Type.Boolean({
        description: 'Whether to mail the link to the member. Taken as true when left out.',
        examples: [true],
      }),
    ),
    next: Type.Optional(
      Type.String({
        maxLength: 2_000,
        pattern: noControlCharacters,
        description: 'The path of the site to go to after the login. Taken as `/` when left out.',
        examples: ['/courses/rowing'],
      }),
    ),
  },
  { title: 'CreateLoginLink', additionalProperties: false },
);
export type CreateLoginLink = Static<typeof CreateLoginLink>;

export const LoginLink = Type.Object(
  {
    id: uuid('The login link.', exampleIds.loginLink),
    memberId: uuid('The member whom it logs in.', exampleIds.member),
    url: nullable(
      Type.String({
        description:
          'The link itself: whoever has it is that member. Only for keys with `login-links:write`, and null where it is mailed.',
        examples: ['https://academy.example.com/_gatehouse/link/3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
      }),
    ),
    sent: Type.Boolean({ description: 'Whether it is mailed to the member.', examples: [false] }),
    expiresAt: dateTime(
      'Until when it works, once. A mail that has to wait for the mail server starts its time when it leaves.',
      '2026-01-31T09:40:00.000Z',
    ),
  },
  { title: 'LoginLink', description: 'A link that logs a member in, once.' },
);
export type LoginLink = Static<typeof LoginLink>;

const memberParams = Type.Object({ memberId: memberIdParameter }, { additionalProperties: false });

export const listMemberSessions = {
  id: 'listMemberSessions',
  method: 'GET',
  path: '/members/{memberId}/sessions',
  tag: 'Sessions',
  summary: 'List the sessions of a member',
  description: 'The browsers in which the member is logged in, newest login first.',
  permission: 'members:read',
  params: memberParams,
  query: Type.Object(pageParameters, { additionalProperties: false }),
  body: null,
  success: { status: 200, description: 'A page of sessions.', body: page(Session), headers: ['Link'] },
  errors: ['member_not_found'],
} as const satisfies Operation;

export const revokeMemberSessions = {
  id: 'revokeMemberSessions',
  unconditional: true,
  method: 'DELETE',
  path: '/members/{memberId}/sessions',
  tag: 'Sessions',
  summary: 'End all sessions of a member',
  description:
    'Logs the member out everywhere, and makes login links on their way to the member worthless. The browsers that the ' +
    'member has logged in with are no longer known.',
  permission: 'members:block',
  params: memberParams,
  query: nothing,
  body: null,
  success: { status: 204, description: 'The member is logged in nowhere.', body: null, headers: [] },
  errors: ['member_not_found'],
} as const satisfies Operation;

export const revokeMemberSession = {
  id: 'revokeMemberSession',
  unconditional: true,
  method: 'DELETE',
  path: '/members/{memberId}/sessions/{sessionId}',
  tag: 'Sessions',
  summary: 'End one session of a member',
  description: 'Logs the member out in one browser.',
  permission: 'members:block',
  params: Type.Object(
    { memberId: memberIdParameter, sessionId: uuid('The id of the session.', exampleIds.session) },
    { additionalProperties: false },
  ),
  query: nothing,
  body: null,
  success: { status: 204, description: 'The session has ended.', body: null, headers: [] },
  errors: ['member_not_found', 'session_not_found'],
} as const satisfies Operation;

export const verifySession = {
  id: 'verifySession',
  method: 'POST',
  path: '/sessions/verify',
  readOnly: true,
  tag: 'Sessions',
  summary: 'Verify a session',
  description:
    'For programs that serve pages themselves: who a visitor is, by the session cookie, and whether the visitor may see a ' +
    'path. Ask at every request; the answer changes the moment a member is blocked.',
  permission: 'members:read',
  params: nothing,
  query: nothing,
  body: VerifySession,
  success: {
    status: 200,
    description: 'Who the visitor is. A token that opens nothing is a stranger, not an error.',
    body: single(VerifiedSession),
    headers: [],
  },
  errors: [],
} as const satisfies Operation;

export const createMemberLoginLink = {
  id: 'createMemberLoginLink',
  method: 'POST',
  path: '/members/{memberId}/login-links',
  tag: 'Sessions',
  summary: 'Create a login link for a member',
  description:
    'Emails the member a login link, as if the member had requested it on the login page. With `send: false` the link is ' +
    'in the answer instead, which needs the permission `login-links:write`: anyone who has the link can log in as this ' +
    'member. Up to three links of a member are valid at the same time, and using one ends all; a further one replaces ' +
    'the oldest that was requested on the login page, or else the oldest. Operators make no more than 5 in 15 minutes ' +
    'for one member; programs have the limit of their key. Emails to one person are limited for both: see `email_budget_exhausted`.',
  permission: 'login-links:send',
  furtherPermissions: [{ permission: 'login-links:write', path: '/send', values: [false] }],
  params: memberParams,
  query: nothing,
  body: CreateLoginLink,
  success: { status: 201, description: 'The login link.', body: single(LoginLink), headers: [] },
  errors: ['member_not_found', 'member_blocked', 'site_domain_missing', 'email_budget_exhausted'],
} as const satisfies Operation;
