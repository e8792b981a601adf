import type { Static, TObject, TSchema } from 'typebox';
import { commonErrorCodes, type ErrorCode } from './errors.ts';
import type { Permission } from './permissions.ts';
import type { Defaulted } from './schemas.ts';
import type { Tag } from './tags.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One operation of the API: the only place where its path, its shapes, its status and its refusals are written.
 * The server validates and serialises by it, the client takes its types from it, openapi.json is made from it.
 */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** Below `/api/v1`, with path parameters in braces: `/members/{memberId}`. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  /** Set on a POST that changes nothing: it asks, with a body. */
  readonly readOnly?: true;
  /** Set where what is changed has no `ETag` of its own to go by. */
  readonly unconditional?: true;
  /** What the key must carry; null where no key is needed. */
  readonly permission: Permission | null;
  /** What the key must carry as well, by what the body holds. */
  readonly furtherPermissions?: readonly FurtherPermission[];
  /** The path parameter by which a key names itself: then it needs no permission. */
  readonly ownKey?: string;
  readonly params: TObject;
  readonly query: TObject;
  /** null where the operation takes no body. */
  readonly body: TSchema | null;
  readonly success: {
    readonly status: 200 | 201 | 204 | 207;
    readonly description: string;
    /** null where the answer has no body. */
    readonly body: TSchema | null;
    /** Headers this operation adds to those of every answer. */
    readonly headers: readonly ('Location' | 'ETag' | 'Link')[];
  };
  /** Codes beside those that every operation can answer with (see `commonErrorCodes`). */
  readonly errors: readonly ErrorCode[];
}

/** A permission that a request needs because of one value in its body, such as one action of several. */
export interface FurtherPermission {
  readonly permission: Permission;
  /** JSON Pointer (RFC 6901) to the value in the body; `*` stands for each item of a list. */
  readonly path: string;
  /** The values that need it. Left out: every value but null and an empty list. */
  readonly values?: readonly unknown[];
}

/** The permissions that a request with this body needs beside that of the operation. The body has the operation's shape. */
export function furtherPermissionsFor(operation: Operation, body: unknown): Permission[] {
  const needed = (operation.furtherPermissions ?? []).filter(({ path, values }) =>
    valuesAt(body, path.split('/').slice(1)).some((value) =>
      values === undefined ? !isNothing(value) : values.includes(value),
    ),
  );
  return needed.map(({ permission }) => permission);
}

function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return [value];
  if (typeof value !== 'object' || value === null) return [];
  const next = name === '*' ? Object.values(value) : [(value as Record<string, unknown>)[name]];
  return next.flatMap((each) => valuesAt(each, rest));
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** The values a handler is given, typed by the operation's schemas. Query parameters with a default are present. */
export interface Input<O extends Operation> {
  readonly params: Static<O['params']>;
  readonly query: Static<O['query']> & DefaultsOf<O['query']['properties']>;
  readonly body: O['body'] extends TSchema ? Static<O['body']> : undefined;
}

/** The body a handler gives back, typed by the operation's success schema. */
export type Output<O extends Operation> = O['success']['body'] extends TSchema
  ? Static<O['success']['body']>
  : undefined;

/** Every code that the operation can answer with once the request has reached it. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  return [
    ...commonErrorCodes.everyOperation,
    ...(operation.permission === null ? [] : commonErrorCodes.withKey),
    ...(operation.body === null ? [] : commonErrorCodes.withBody),
    ...('after' in operation.query.properties ? commonErrorCodes.withCursor : []),
    ...(takesIdempotencyKey(operation) ? commonErrorCodes.idempotent : []),
    ...(takesIfMatch(operation) ? commonErrorCodes.conditional : []),
    ...operation.errors,
  ];
}

/**
 * Whether a repeated request is answered from the first one by its `Idempotency-Key`. One that only asks is answered
 * anew: who was let in a moment ago may be blocked by now.
 */
export function takesIdempotencyKey(operation: Operation): boolean {
  return operation.method === 'POST' && !operation.readOnly;
}

/** Whether the operation changes one resource, and so only on its current `ETag` if `If-Match` asks for that. */
export function takesIfMatch(operation: Operation): boolean {
  return ['PATCH', 'PUT', 'DELETE'].includes(operation.method) && !operation.unconditional;
}

/** Whether the operation can answer 304 to an `If-None-Match`. */
export function takesIfNoneMatch(operation: Operation): boolean {
  return operation.method === 'GET' && operation.success.headers.includes('ETag');
}

type DefaultsOf<Properties> = {
  [Name in keyof Properties as Properties[Name] extends Defaulted
    ? Name
    : never]: Properties[Name] extends TSchema ? Static<Properties[Name]> : never;
};
