import type { DeliveryError } from '@gatehouse/contract';
import type { Timestamp } from '../../../base/clock.ts';

/** An attempt ends at the latest after this time: from the lookup of the host to the last byte of the response. */
export const maxAttemptMilliseconds = 15_000;

/** A signed request to a receiver. Plain data, so it can be sent to another thread. */
export interface OutgoingMessage {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  /** Each of them signs. */
  readonly secrets: readonly string[];
}

/** The result of an attempt. Plain data. */
export interface SendResult {
  readonly startedAt: Timestamp;
  readonly durationMilliseconds: number;
  /** Of the response; null if there was none. */
  readonly status: number | null;
  /** The beginning of the response. */
  readonly responseBody: string | null;
  /** Null if the message was delivered. */
  readonly error: DeliveryError | null;
  /** How long the receiver wants Gatehouse to wait, in seconds. */
  readonly retryAfter: number | undefined;
}

/** Sends a message once. Rejects with the reason of the signal when it is aborted. */
export type SendMessage = (message: OutgoingMessage, signal: AbortSignal) => Promise<SendResult>;
