import type { Static } from 'typebox';
import { Session } from '../credentials/sessions.ts';
import { exampleIds, nothing, uuid } from '../shared/schemas.ts';
import { Type } from '../shared/type.ts';
import type { DashboardOperation } from './operation.ts';

const { id, createdAt, lastSeenAt, userAgent, ipAddress } = Session.properties;

export const OperatorSession = Type.Object(
  {
    id,
    createdAt,
    lastSeenAt,
    userAgent,
    ipAddress: ipAddress,
    current: Type.Boolean({
      description: 'Whether this is the session of the request.',
      examples: [true],
    }),
  },
  { title: 'OperatorSession', description: 'A browser in which the operator is logged in.' },
);
export type OperatorSession = Static<typeof OperatorSession>;

export const LogOut = Type.Object(
  {
    everywhere: Type.Optional(
      Type.Boolean({
        description:
          'Whether all sessions of the operator end. Defaults to false: only the current session ends.',
        examples: [false],
      }),
    ),
  },
  { title: 'LogOut', additionalProperties: false },
);
export type LogOut = Static<typeof LogOut>;

export const listOwnSessions = {
  id: 'listOwnSessions',
  method: 'GET',
  path: '/sessions',
  tag: 'Sessions',
  summary: 'List the sessions of the operator',
  description: 'The newest 100 sessions, newest first.',
  params: nothing,
  query: nothing,
  body: null,
  success: {
    status: 200,
    description: 'The sessions.',
    body: Type.Object({ data: Type.Array(OperatorSession) }),
  },
  errors: [],
} as const satisfies DashboardOperation;

export const endOwnSession = {
  id: 'endOwnSession',
  method: 'DELETE',
  path: '/sessions/{sessionId}',
  tag: 'Sessions',
  summary: 'End a session of the operator',
  description:
    'Ends one session of the operator. An ended session, or a session of someone else, is ignored.',
  params: Type.Object(
    { sessionId: uuid('The id of the session.', exampleIds.session) },
    { additionalProperties: false },
  ),
  query: nothing,
  body: null,
  success: { status: 204, description: 'The operator has no session with this ID.', body: null },
  errors: [],
} as const satisfies DashboardOperation;

export const logOut = {
  id: 'logOut',
  method: 'POST',
  path: '/logout',
  tag: 'Sessions',
  summary: 'Log out',
  description: 'Ends the session of the request, or all sessions of the operator.',
  params: nothing,
  query: nothing,
  body: LogOut,
  withoutPasskey: true,
  success: { status: 204, description: 'The operator is logged out.', body: null },
  errors: [],
} as const satisfies DashboardOperation;
