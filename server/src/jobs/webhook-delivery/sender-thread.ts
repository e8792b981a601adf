import { threadEntry } from '../../base/installation.ts';
import type { OutgoingSettings } from '../../base/networks/outgoing-url.ts';
import type { Report } from '../../base/report.ts';
import type { Timers } from '../../base/timers.ts';
import type { OutgoingMessage, SendResult } from '../../domain/webhooks/deliveries/outgoing-message.ts';
import { ThreadOnDemand } from '../../runtime/threads/thread-on-demand.ts';

const defaultEntry = threadEntry('jobs/webhook-delivery/sender-thread-entry');

/** Plain data, which is passed to the thread. */
export interface SenderThreadSettings {
  readonly outgoing: OutgoingSettings;
  /** A PEM to trust instead of the authorities of Node, for tests. */
  readonly certificateAuthority?: string | undefined;
}

export interface SenderCalls {
  /** As `SendMessage`. */
  send(message: OutgoingMessage): SendResult;
}

/**
 * Sends messages in a separate thread, so that signing and encrypting many of them does not delay requests.
 * @param report called with warnings of the thread
 */
export function senderThread(
  settings: SenderThreadSettings,
  report: Report,
  timers: Timers,
  entry = defaultEntry,
): ThreadOnDemand<SenderCalls> {
  const description = 'The thread that sends to webhooks';
  return new ThreadOnDemand({ entry, description, settings, report, isBatched: true }, timers);
}
