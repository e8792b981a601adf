import { recentLoginErrorCodes } from '../shared/errors.ts';
import type { OperationShape } from '../shared/operation.ts';
import { commonDashboardErrorCodes as common, type DashboardErrorCode } from './errors.ts';

/** The sections of the dashboard API, in the order of its document. */
export const dashboardTags = {
  Operator: 'The logged-in operator, with their sites and roles.',
  Sites: 'Tokens for the public API of a site, and new sites.',
  Sessions: 'The sessions of the operator.',
  Passkeys: 'The passkeys of the operator.',
  Login: 'Logging in with a passkey.',
  Previews: 'Previews of the login page and the login email of a site with unsaved settings.',
} as const;

export type DashboardTag = keyof typeof dashboardTags;

/**
 * One operation of the dashboard API, which only the pages of the dashboard call. It is authenticated by the session
 * cookie of the operator.
 */
export interface DashboardOperation extends OperationShape {
  readonly tag: DashboardTag;
  /** Set if the operation needs no session. */
  readonly loggedOut?: true;
  /** Set if it is possible after a login without a passkey where passkeys are required. */
  readonly withoutPasskey?: true;
  readonly success: OperationShape['success'] & {
    /** Set if the response is a page or a stream instead of JSON; `body` is then a string. */
    readonly mediaType?: 'text/html' | 'text/event-stream';
  };
  /** Error codes in addition to the common ones (see `commonDashboardErrorCodes`). */
  readonly errors: readonly DashboardErrorCode[];
}

/** Every error code that the operation itself can return. */
export function dashboardErrorCodesOf(operation: DashboardOperation): DashboardErrorCode[] {
  return [
    ...common.everyOperation,
    ...(operation.loggedOut ? [] : common.withSession),
    ...(operation.method === 'GET' ? [] : common.changing),
    ...(operation.body === null ? [] : common.withBody),
    ...(operation.recentLogin ? recentLoginErrorCodes : []),
    ...operation.errors,
  ];
}
