import { type Static, Type } from 'typebox';
import { Session } from '../credentials/sessions.ts';
import { named } from '../shared/resource.ts';
import { all, flag, request, shape } from '../shared/schemas.ts';
import { dashboardOperation } from './operation.ts';

const { id, createdAt, lastSeenAt, userAgent, ipAddress } = Session.properties;

export const OperatorSession = shape('OperatorSession', 'A browser in which the operator is logged in.', {
  id,
  createdAt,
  lastSeenAt,
  userAgent,
  ipAddress: ipAddress,
  current: flag('Whether this is the session of the request.', true),
});
export type OperatorSession = Static<typeof OperatorSession>;

export const LogOut = request('LogOut', {
  everywhere: Type.Optional(
    flag(
      'Whether all sessions of the operator end. Defaults to false: only the current session ends.',
      false,
    ),
  ),
});
export type LogOut = Static<typeof LogOut>;

export const sessionOperations = named({
  listOwnSessions: dashboardOperation({
    method: 'GET',
    path: '/sessions',
    tag: 'Sessions',
    summary: 'List the sessions of the operator',
    description: 'The newest 100 sessions, newest first.',
    returns: all(OperatorSession),
    success: 'The sessions.',
  }),
  endOwnSession: dashboardOperation({
    method: 'DELETE',
    path: '/sessions/{sessionId}',
    tag: 'Sessions',
    summary: 'End a session of the operator',
    description:
      'Ends one session of the operator. An ended session, or a session of someone else, is ignored.',
    success: 'The operator has no session with this ID.',
  }),
  logOut: dashboardOperation({
    method: 'POST',
    path: '/logout',
    tag: 'Sessions',
    summary: 'Log out',
    description: 'Ends the session of the request, or all sessions of the operator.',
    withoutPasskey: true,
    body: LogOut,
    success: 'The operator is logged out.',
  }),
});
