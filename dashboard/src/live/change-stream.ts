import { blockReader } from '@gatehouse/contract/block-reader';
import type { SiteChanges } from '@gatehouse/contract/dashboard';
import { attendance } from '../session/attendance.ts';
import { addressOf } from '../session/dashboard-api.ts';

/** The service sends something every ten seconds. */
const silenceMilliseconds = 30_000;

/** A block of the stream. */
export interface ChangeBlock {
  /** The last event up to here. */
  readonly id: string;
  /** Undefined if there is nothing new. */
  readonly changes: SiteChanges | undefined;
}

export interface StreamRequest {
  readonly siteId: string;
  /** Another operator who has logged in in this browser must not continue with this page. */
  readonly personId: string;
  /** The id of an event; undefined to begin with the next one. */
  readonly after: string | undefined;
  readonly signal: AbortSignal;
}

/** The service has responded with an error. */
export class StreamRejected extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The stream was rejected with ${status}.`);
    this.status = status;
  }
}

/**
 * Reads a stream until the service ends it. What browsers have for such streams would hide why one was rejected, and
 * whether its connection is still alive.
 * @throws {StreamRejected}; anything else if the connection breaks
 */
export async function readChanges(
  { siteId, personId, after, signal }: StreamRequest,
  onBlock: (block: ChangeBlock) => void,
): Promise<void> {
  const controller = new AbortController();
  const address = addressOf('streamSiteChanges', {
    params: { siteId },
    query: after === undefined ? {} : { after },
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const allowSilence = () => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(), silenceMilliseconds);
  };
  try {
    allowSilence();
    const response = await fetch(address, {
      headers: { accept: 'text/event-stream', 'x-gatehouse-operator': personId, ...attendance() },
      signal: AbortSignal.any([signal, controller.signal]),
    });
    if (!response.ok) throw new StreamRejected(response.status);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const readBlocks = blockReader();
    for (;;) {
      allowSilence();
      const { done, value } = await reader.read();
      if (done) return;
      for (const { id, data } of readBlocks(value)) {
        if (id !== undefined) onBlock({ id, changes: data === undefined ? undefined : JSON.parse(data) });
      }
    }
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}
