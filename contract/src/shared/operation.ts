import type { Static, TObject, TSchema } from 'typebox';
import type { Permission } from '../credentials/permissions.ts';
import type { ErrorCode } from './error-codes.ts';
import { commonErrorCodes, recentLoginErrorCodes } from './errors.ts';
import type { Defaulted } from './schemas.ts';
import type { Tag } from './tags.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The properties of every operation, of the public API and of the dashboard API. */
export interface OperationShape<
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema | null = TSchema | null,
  ResponseBody extends TSchema | null = TSchema | null,
> {
  readonly id: string;
  readonly method: Method;
  /** Relative to the URL of its API, with path parameters in braces: `/members/{memberId}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly params: Params;
  readonly query: Query;
  /** null if the operation has no request body. */
  readonly body: Body;
  /** Set if it makes a way in that outlasts the session: an operator must have logged in a short time ago. */
  readonly recentLogin?: true;
  readonly success: {
    readonly status: 200 | 201 | 204 | 207;
    readonly description: string;
    /** null if the response has no body. */
    readonly body: ResponseBody;
  };
}

/**
 * One operation of the API: the only place that defines its path, schemas, status and error codes. The server validates
 * and serializes with it, the types of the client and openapi.json are generated from it.
 */
export interface Operation<
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema | null = TSchema | null,
  ResponseBody extends TSchema | null = TSchema | null,
> extends OperationShape<Params, Query, Body, ResponseBody> {
  readonly tag: Tag;
  /** Set on a POST that changes nothing: a query with a body. */
  readonly readOnly?: true;
  /** Set if the changed resource has no `ETag`. */
  readonly unconditional?: true;
  /** Requests of one key or operator in 60 s, if they cost much more than others: a limit beside that of the key. */
  readonly maxPerMinute?: number;
  /** The permission that the key must have; null if no key is required. */
  readonly permission: Permission | null;
  /** Further permissions that the key must have, always or depending on the body. */
  readonly furtherPermissions?: readonly FurtherPermission[];
  /** The path parameter that identifies a key: for its own id, a key needs no permission. */
  readonly ownKey?: string;
  readonly success: OperationShape<Params, Query, Body, ResponseBody>['success'] & {
    /** Headers that this operation adds to those of every response. */
    readonly headers: readonly ('Location' | 'ETag' | 'Link')[];
    /** JSON if left out. */
    readonly mediaType?: 'text/event-stream';
  };
  /** Error codes in addition to the common ones (see `commonErrorCodes`). */
  readonly errors: readonly ErrorCode[];
}

/** An operation whose response does not end by itself. */
export interface StreamOperation extends Operation {
  readonly success: Operation['success'] & { readonly mediaType: 'text/event-stream' };
}

export function isStream(operation: Operation): operation is StreamOperation {
  return operation.success.mediaType === 'text/event-stream';
}

/** A permission that a request needs as well, always or because of one value in its body. */
export interface FurtherPermission {
  readonly permission: Permission;
  /** JSON Pointer (RFC 6901) to the value in the body; `*` stands for each item of a list. Left out: always. */
  readonly path?: string;
  /** The values that need it. Defaults to every value except null and an empty list; `any` is these too. */
  readonly values?: readonly unknown[] | 'any';
}

/** The permissions that every request of the operation needs: its own first. */
export function permissionsOf({ permission, furtherPermissions = [] }: Operation): Permission[] {
  const always = furtherPermissions.filter(({ path }) => path === undefined);
  return [...(permission === null ? [] : [permission]), ...always.map((further) => further.permission)];
}

/**
 * The permissions that a request with this body needs in addition to that of the operation. The body is already
 * validated.
 */
export function furtherPermissionsFor(operation: Operation, body: unknown): Permission[] {
  const needed = (operation.furtherPermissions ?? []).filter(
    ({ path, values }) =>
      path === undefined || valuesAt(body, path.split('/').slice(1)).some((value) => isAmong(values, value)),
  );
  return needed.map(({ permission }) => permission);
}

function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return [value];
  if (typeof value !== 'object' || value === null) return [];
  const next = name === '*' ? Object.values(value) : [(value as Record<string, unknown>)[name]];
  return next.flatMap((each) => valuesAt(each, rest));
}

function isAmong(values: FurtherPermission['values'], value: unknown): boolean {
  if (values === 'any') return value !== undefined;
  return values === undefined ? !isNothing(value) : values.includes(value);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** The input of a handler, typed by the schemas of the operation. Query parameters with a default are present. */
export interface Input<O extends OperationShape> {
  readonly params: Static<O['params']>;
  readonly query: Static<O['query']> & DefaultsOf<O['query']['properties']>;
  readonly body: O['body'] extends TSchema ? Static<O['body']> : undefined;
}

/** The body that a handler returns, typed by the success schema of the operation. */
export type Output<O extends OperationShape> = O['success']['body'] extends TSchema
  ? Static<O['success']['body']>
  : undefined;

/** Every error code that the operation itself can return. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  return [
    ...commonErrorCodes.everyOperation,
    ...(operation.permission === null ? [] : commonErrorCodes.withKey),
    ...(operation.body === null ? [] : commonErrorCodes.withBody),
    ...('after' in operation.query.properties ? commonErrorCodes.withCursor : []),
    ...(acceptsIdempotencyKey(operation) ? commonErrorCodes.idempotent : []),
    ...(acceptsIfMatch(operation) ? commonErrorCodes.conditional : []),
    ...(operation.recentLogin ? recentLoginErrorCodes : []),
    ...operation.errors,
  ];
}

/**
 * Whether the operation accepts an `Idempotency-Key` and replays the stored response to a repeated request. A read-only
 * operation does not: its result may have changed, for example when a member was blocked.
 */
export function acceptsIdempotencyKey(operation: Operation): boolean {
  return operation.method === 'POST' && !operation.readOnly;
}

/** Whether the operation changes one resource and accepts the condition `If-Match`. */
export function acceptsIfMatch(operation: Operation): boolean {
  return ['PATCH', 'PUT', 'DELETE'].includes(operation.method) && !operation.unconditional;
}

/** Whether the operation can respond with 304 to `If-None-Match`. */
export function acceptsIfNoneMatch(operation: Operation): boolean {
  return operation.method === 'GET' && operation.success.headers.includes('ETag');
}

type DefaultsOf<Properties> = {
  [Name in keyof Properties as Properties[Name] extends Defaulted
    ? Name
    : never]: Properties[Name] extends TSchema ? Static<Properties[Name]> : never;
};
