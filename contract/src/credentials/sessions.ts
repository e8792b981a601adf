import { type Static, Type } from 'typebox';
import {
  AccessDecision,
  maxRequestPathLength,
  requestFields,
  requestPath,
} from '../access-rules/access-rules.ts';
import { MemberWithGroups } from '../members/member.ts';
import { PageCode } from '../page-codes/page-codes.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  count,
  dateTime,
  exampleIds,
  flag,
  noControlCharacters,
  nullable,
  openEnumeration,
  request,
  shape,
  single,
  text,
  uuid,
} from '../shared/schemas.ts';

export const loginMethods = ['link', 'code', 'passkey', 'provider'] as const;

export const Session = shape('Session', 'A browser in which a member is logged in.', {
  id: uuid('The session.', exampleIds.session),
  memberId: uuid('The member who is logged in.', exampleIds.member),
  method: nullable(
    openEnumeration(
      loginMethods,
      'How the member logged in, as in the event `member.login`; null in older sessions.',
      'link',
    ),
  ),
  createdAt: dateTime('When the member logged in.'),
  lastSeenAt: dateTime('When the session was last used, to the hour.', '2026-02-14T18:05:12.345Z'),
  expiresAt: dateTime('When the session expires unless it is used before then.', '2026-03-16T18:05:12.345Z'),
  userAgent: nullable(
    text(
      'The `User-Agent` of the browser; null if it sent none.',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
    ),
  ),
  ipAddress: nullable(text('The IP address from which the member logged in.', '203.0.113.7')),
});
export type Session = Static<typeof Session>;

export const VerifySession = request(
  'VerifySession',
  {
    token: Type.Optional(
      nullable(
        text(
          'The value of the session cookie; null, or left out, for a visitor without one. The cookie is ' +
            '`__Host-gatehouse_session`, and `gatehouse_session` on a site without https.',
          '8vJ0mB0y2nTjXo5zq7bYw3ZkQ1cR9sLdE4fGhIjKlMn',
          { maxLength: 200 },
        ),
      ),
    ),
    pagePass: Type.Optional(
      nullable(
        text(
          'The value of the cookie of the page codes that the visitor has entered; null, or left out, for a visitor without ' +
            'one. The cookie is `__Host-gatehouse_pass`, and `gatehouse_pass` on a site without https.',
          'kD4v1sR8pQzXw2LmN6bYt0CjE9fGhIuKoA3nV5eZxTy',
          { maxLength: 200 },
        ),
      ),
    ),
    path: Type.Optional(requestPath),
    ...requestFields,
    referer: Type.Optional(
      text(
        'The `Referer` of a form, so that `loginUrl` leads to its page. Without one of the same host, it leads to the ' +
          'front page if the method is not GET or HEAD.',
        'https://academy.example.com/courses/rowing/sign-up',
        { maxLength: maxRequestPathLength },
      ),
    ),
    edgeToken: Type.Optional(
      flag('Whether to return an edge token if the visitor has access to `path`. Defaults to false.', true),
    ),
  },
  {
    examples: [
      { token: '8vJ0mB0y2nTjXo5zq7bYw3ZkQ1cR9sLdE4fGhIjKlMn', path: '/courses/rowing/week-1?lang=en' },
    ],
  },
);
export type VerifySession = Static<typeof VerifySession>;

export const VerifiedSession = shape(
  'VerifiedSession',
  'Who a visitor is, and whether the visitor has access.',
  {
    session: Type.Unsafe<Session | null>({
      ...Type.Object(Session.properties, { title: 'CurrentSession' }),
      type: ['object', 'null'],
      description: 'The active session that the token belongs to; null if there is none.',
    }),
    member: Type.Unsafe<MemberWithGroups | null>({
      ...Type.Object(MemberWithGroups.properties, { title: 'LoggedInMember' }),
      type: ['object', 'null'],
      description: 'The member who is logged in; null for an anonymous visitor.',
    }),
    access: Type.Unsafe<AccessDecision | null>({
      ...Type.Object(AccessDecision.properties, { title: 'AccessToPath' }),
      type: ['object', 'null'],
      description: 'Whether the visitor has access to `path`; null if no path was given.',
    }),
    loginUrl: nullable(
      text(
        'Where to send a visitor who is not logged in, or has to enter a page code (`code_required`): the page of the site for ' +
          'it, which leads back to `path`, or to the page of the form in `referer`. Null while the site has no domain.',
        'https://academy.example.com/_gatehouse/login?next=%2Fcourses',
      ),
    ),
    pageCodeUrl: nullable(
      text(
        'The page on which the visitor can enter a page code that gives access to `path`, at the host of the request. Null if ' +
          'the visitor has access, if no code gives it, or while the site has no domain.',
        'https://academy.example.com/_gatehouse/page-code?next=%2Fcourses',
      ),
    ),
    accessRequestUrl: nullable(
      text(
        'The page on which a member who has no access to `path` can ask for it. Null for other visitors, unless the site has ' +
          '`allowsAccessRequests`, and while the site has no domain.',
        'https://academy.example.com/_gatehouse/join?next=%2Fcourses',
      ),
    ),
    pageCode: Type.Unsafe<{ id: string; label: string } | null>({
      ...Type.Object(
        { id: PageCode.properties.id, label: PageCode.properties.label },
        { title: 'EnteredPageCode' },
      ),
      type: ['object', 'null'],
      description:
        'The page code by which access is allowed; null if it does not depend on one. The page must not be shown as that of ' +
        'a member, also if one is logged in.',
    }),
    edgeToken: nullable(
      text(
        'A signed copy of the decision, with which a gate in a CDN worker allows this visitor the same page for up to a ' +
          'minute. Null unless it was requested and the visitor has access; and while the site has no signing key or no ' +
          'domain, if the method is not GET or HEAD, if the rule is conditional, or if the path is too long.',
        'eyJhbGciOiJFZERTQSIsInR5cCI6ImdhdGVob3VzZS1lZGdlK2p3dCJ9.eyJzdWIiOiIwMTk4MGEzZSJ9.c2lnbmF0dXJl',
      ),
    ),
  },
);
export type VerifiedSession = Static<typeof VerifiedSession>;

export const CreateLoginLink = request('CreateLoginLink', {
  send: Type.Optional(flag('Whether to email the link to the member. Defaults to true.', true)),
  next: Type.Optional(
    text('The path of the site to open after the login. Defaults to `/`.', '/courses/rowing', {
      maxLength: 2_000,
      pattern: noControlCharacters,
    }),
  ),
});
export type CreateLoginLink = Static<typeof CreateLoginLink>;

export const LoginLink = shape('LoginLink', 'A link that logs a member in once.', {
  id: uuid('The login link.', exampleIds.loginLink),
  memberId: uuid('The member whom it logs in.', exampleIds.member),
  url: nullable(
    text(
      'The link itself. Anyone who has it can log in as this member. Only for keys with `login-links:write`; null ' +
        'if the link is emailed.',
      'https://academy.example.com/_gatehouse/link/3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    ),
  ),
  sent: flag('Whether the link is emailed to the member.', false),
  expiresAt: dateTime(
    'When the link expires. It works once. If the email has to wait for the mail server, the lifetime starts when ' +
      'the email is sent.',
    '2026-01-31T09:40:00.000Z',
  ),
});
export type LoginLink = Static<typeof LoginLink>;

export const EndedSessions = shape('EndedSessions', 'The sessions that have ended.', {
  count: count('How many there were.', 250),
});
export type EndedSessions = Static<typeof EndedSessions>;

const sessions = new Resource({
  tag: 'Sessions',
  name: 'session',
  read: 'members:read',
  write: 'members:block',
});

export const sessionOperations = named({
  listMemberSessions: sessions.list({
    path: '/members/{memberId}/sessions',
    summary: 'List the sessions of a member',
    description: 'The browsers in which the member is logged in, newest login first.',
    returns: Session,
  }),
  revokeMemberSessions: sessions.delete({
    path: '/members/{memberId}/sessions',
    summary: 'End all sessions of a member',
    description:
      'Logs the member out everywhere and revokes login links that have not been used yet. The browsers in which the ' +
      'member has logged in are no longer known browsers.',
    unconditional: true,
    success: 'The member has no session left.',
  }),
  revokeMemberSession: sessions.delete({
    path: '/members/{memberId}/sessions/{sessionId}',
    summary: 'End one session of a member',
    description: 'Logs the member out in one browser.',
    unconditional: true,
    success: 'The session has ended.',
  }),
  revokeSessions: sessions.deleteAll({
    path: '/sessions',
    summary: 'End all sessions of the site',
    description:
      'Logs all members out and closes the login links that have not been used yet, as another primary host does. The ' +
      'browsers in which members have logged in are no longer known browsers. Passkeys, linked accounts and access tokens ' +
      'stay. The event `site.updated` has the number of sessions.',
    // As for another primary host, in addition to the permission to end the sessions of one member.
    furtherPermissions: [{ permission: 'site:write' }, { permission: 'login-links:write' }],
    recentLogin: true,
    maxPerMinute: 5,
    unconditional: true,
    returns: EndedSessions,
    success: 'No member is logged in.',
  }),
  verifySession: sessions.lookUp({
    path: '/sessions/verify',
    summary: 'Verify a session',
    description:
      'For programs that serve pages themselves: identifies a visitor by the session cookie and checks access to a ' +
      'path. Call it for every request; the result changes as soon as a member is blocked.',
    body: VerifySession,
    returns: single(VerifiedSession),
    success: 'The visitor. A token without an active session means an anonymous visitor, not an error.',
  }),
  createMemberLoginLink: sessions.create({
    path: '/members/{memberId}/login-links',
    summary: 'Create a login link for a member',
    description:
      'Emails the member a login link. With `send: false` the link is returned in the response instead: anyone who ' +
      'has it can log in as this member. A link that is returned to a key that expires, and the session that ' +
      'starts with it, end no later than the key. Up to three links of a member are valid at the same time, and ' +
      'using one revokes all. A fourth link replaces the oldest one that was requested on the login page, or else ' +
      'the oldest one. Operators can create at most 5 links in 15 minutes for one member. Emails to one person are ' +
      'limited: see `email_budget_exhausted`.',
    permission: 'login-links:send',
    furtherPermissions: [{ permission: 'login-links:write', path: '/send', values: [false] }],
    body: CreateLoginLink,
    returns: LoginLink,
    success: 'The login link.',
    headers: [],
    errors: ['member_blocked', 'site_domain_missing', 'email_budget_exhausted'],
  }),
});
