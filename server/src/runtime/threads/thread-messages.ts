import type { Report } from '../../base/report.ts';
import { CollectionUnreadable } from '../../domain/sources/workspaces/workspace.ts';
import { StoreUnavailable } from '../../storage/errors.ts';

// What a `ThreadClient` and the thread that it has started send each other.

/** How a thread ends: after the calls that it has begun, or after these have been aborted. */
export type ThreadEnd = 'drain' | 'abort';

export interface ThreadCall {
  readonly number: number;
  readonly name: string;
  readonly input: unknown;
}

export type ThreadResult =
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly fault: ThreadFault };

export type ToThread =
  | { readonly calls: readonly ThreadCall[] }
  | { readonly abort: number }
  | { readonly end: ThreadEnd };

export type FromThread =
  | { readonly ready: true }
  | { readonly results: readonly ThreadResult[] }
  | { readonly log: Parameters<Report> };

/** An error as it is sent to another thread. */
export interface ThreadFault {
  readonly message: string;
  readonly stack: string | undefined;
  readonly isUnavailable: boolean;
  readonly unreadable: CollectionUnreadable['code'] | undefined;
}

export function faultOf(error: unknown): ThreadFault {
  return {
    message: error instanceof Error ? error.message : String(error),
    stack: error instanceof Error ? error.stack : undefined,
    isUnavailable: error instanceof StoreUnavailable,
    unreadable: error instanceof CollectionUnreadable ? error.code : undefined,
  };
}

/** The error of another thread, with the stack that it has there. */
export function errorOf(fault: ThreadFault): Error {
  const error = sameError(fault);
  if (fault.stack !== undefined) error.stack = fault.stack;
  return error;
}

function sameError({ message, isUnavailable, unreadable }: ThreadFault): Error {
  if (unreadable !== undefined) return new CollectionUnreadable(unreadable, message);
  return isUnavailable ? new StoreUnavailable(message) : new Error(message);
}
