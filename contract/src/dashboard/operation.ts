import type { TObject, TSchema } from 'typebox';
import { recentLoginErrorCodes } from '../shared/errors.ts';
import type { Method, OperationShape } from '../shared/operation.ts';
import { type ParamsOf, paramsOf } from '../shared/path-parameters.ts';
import { nothing } from '../shared/schemas.ts';
import { commonDashboardErrorCodes as common, type DashboardErrorCode } from './errors.ts';

/** The sections of the dashboard API, in the order of its document. */
export const dashboardTags = {
  Operator: 'The logged-in operator, with their sites and roles.',
  Sites: 'Tokens for the public API of a site, and new sites.',
  Sessions: 'The sessions of the operator.',
  Passkeys: 'The passkeys of the operator.',
  Login: 'Logging in with a passkey.',
  'Saved views': 'Searches for members that the operator has saved.',
  'Mail server': 'The mail server of the installation, and test emails.',
  Previews: 'Previews of the login page and the login email of a site with unsaved settings.',
} as const;

export type DashboardTag = keyof typeof dashboardTags;

/**
 * One operation of the dashboard API, which only the pages of the dashboard call. It is authenticated by the session
 * cookie of the operator.
 */
export interface DashboardOperation<
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema | null = TSchema | null,
  ResponseBody extends TSchema | null = TSchema | null,
> extends OperationShape<Params, Query, Body, ResponseBody> {
  readonly tag: DashboardTag;
  /** Set if the operation needs no session. */
  readonly loggedOut?: true;
  /** Set if it is possible after a login without a passkey where passkeys are required. */
  readonly withoutPasskey?: true;
  readonly success: OperationShape<Params, Query, Body, ResponseBody>['success'] & {
    /** Set if the response is a page or a stream instead of JSON; `body` is then a string. */
    readonly mediaType?: 'text/html' | 'text/event-stream';
  };
  /** Error codes in addition to the common ones (see `commonDashboardErrorCodes`). */
  readonly errors: readonly DashboardErrorCode[];
}

/** What an operation states. The parameters follow from its path. */
interface Stated<Path extends string, Query, Body, ResponseBody> {
  readonly method: Method;
  readonly path: Path;
  readonly tag: DashboardTag;
  readonly summary: string;
  readonly description: string;
  readonly withoutPasskey?: true;
  /** Also adds a sentence to the description. */
  readonly recentLogin?: true;
  readonly query?: Query;
  readonly body?: Body;
  readonly returns?: ResponseBody;
  readonly success: string;
  /** Defaults to 200, and to 204 without a body in the response. */
  readonly status?: 201;
  readonly mediaType?: 'text/html';
  readonly errors?: readonly DashboardErrorCode[];
}

/** Builds an operation from what it states. `named` gives it the id. */
export function dashboardOperation<
  Path extends string,
  Query extends TObject = typeof nothing,
  Body extends TSchema | null = null,
  ResponseBody extends TSchema | null = null,
>(
  stated: Stated<Path, Query, Body, ResponseBody>,
): Omit<DashboardOperation<ParamsOf<Path>, Query, Body, ResponseBody>, 'id' | 'loggedOut'> {
  const { description, query, body, returns, success, status, mediaType, errors, ...same } = stated;
  return {
    ...same,
    description: stated.recentLogin ? `${description} ${recentLoginText}` : description,
    params: paramsOf(stated.path),
    query: (query ?? nothing) as Query,
    body: (body ?? null) as Body,
    success: {
      status: status ?? (returns ? 200 : 204),
      description: success,
      body: (returns ?? null) as ResponseBody,
      ...(mediaType && { mediaType }),
    },
    errors: errors ?? [],
  };
}

const recentLoginText = 'The operator must have logged in within the last 15 minutes.';

/** Builds an operation that needs no session. */
export function loggedOutOperation<Path extends string, Body extends TSchema, ResponseBody extends TSchema>(
  stated: Stated<Path, typeof nothing, Body, ResponseBody>,
) {
  return { ...dashboardOperation(stated), loggedOut: true } as const;
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
