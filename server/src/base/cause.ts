import type { Actor } from '@gatehouse/contract';
import type { Timestamp } from './clock.ts';

/** Who brings a change about, in which request, and when. Every event tells its cause. */
export interface Cause {
  readonly actor: Actor;
  readonly requestId: string | null;
  /** Where the request came from. */
  readonly clientAddress: string | null;
  readonly at: Timestamp;
}

/** What Gatehouse does by itself, such as removing a membership past its time. */
export function systemCause(at: Timestamp): Cause {
  return { actor: { type: 'system', id: null, name: null }, requestId: null, clientAddress: null, at };
}
