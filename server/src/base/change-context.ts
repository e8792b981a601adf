import type { Actor } from '@gatehouse/contract';
import type { Timestamp } from './clock.ts';

/** The actor, request and time of a change. Every event records them. */
export interface ChangeContext {
  readonly actor: Actor;
  readonly requestId: string | null;
  /** The IP address that sent the request. */
  readonly ipAddress: string | null;
  readonly at: Timestamp;
}

/** The context of changes that Gatehouse makes itself, such as removing an expired membership. */
export function systemContext(at: Timestamp): ChangeContext {
  return { actor: { type: 'system', id: null, name: null }, requestId: null, ipAddress: null, at };
}

/** Work that a change queues for a background job: login requests and emails, runs of sources, or events for webhooks. */
export type QueuedWork = 'emails' | 'source-runs' | 'events';
