import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { Permission } from './permissions.ts';

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
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** What the key must carry; null where no key is needed. */
  readonly permission: Permission | null;
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

/** The values a handler is given, typed by the operation's schemas. */
export interface Input<O extends Operation> {
  readonly params: Static<O['params']>;
  readonly query: Static<O['query']>;
  readonly body: O['body'] extends TSchema ? Static<O['body']> : undefined;
}

/** The body a handler gives back, typed by the operation's success schema. */
export type Output<O extends Operation> = O['success']['body'] extends TSchema
  ? Static<O['success']['body']>
  : undefined;
