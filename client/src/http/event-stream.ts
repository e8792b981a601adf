import { blockReader, type StreamBlock } from '@gatehouse/contract/block-reader';
import { GatehouseError } from './error.ts';
import { readResponse } from './response.ts';
import { backOff, isTemporary } from './retry.ts';
import type { Settings } from './settings.ts';

/** The service sends something every ten seconds. */
const silenceMilliseconds = 30_000;

export interface StreamRequest {
  readonly types?: readonly string[] | undefined;
  readonly groupIds?: readonly string[] | undefined;
  /** The id of an event. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Yields each event of a stream once, which it opens again as often as necessary, until the signal aborts.
 * @throws GatehouseError for an error that is not temporary
 */
export async function* followStream(
  settings: Settings,
  { types, groupIds, after, signal }: StreamRequest,
): AsyncGenerator<unknown, void, undefined> {
  const query = { types: types?.join(','), groupIds: groupIds?.join(',') };
  const pause = (milliseconds: number) => settings.wait(milliseconds, signal).catch(() => {});
  let lastEventId = after;
  for (let failures = 0; !signal?.aborted; failures++) {
    try {
      for await (const { id, data } of readStream(settings, { query, lastEventId }, signal)) {
        failures = 0;
        if (data !== undefined) yield JSON.parse(data);
        if (signal?.aborted) return;
        lastEventId = id ?? lastEventId;
      }
      // The service has stopped, or this program was too slow. Another process may continue.
      await pause(backOff(failures));
    } catch (error) {
      if (signal?.aborted) return;
      if (!(error instanceof GatehouseError && isTemporary(error))) throw error;
      await pause(Math.max(backOff(failures), (error.retryAfterSeconds ?? 0) * 1_000));
    }
  }
}

/** The parts of a request that opens a stream once. */
interface OpeningRequest {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly lastEventId: string | undefined;
}

/**
 * Opens a stream and reads it until the service ends it.
 * @throws GatehouseError; the reason of the signal if it aborts
 */
async function* readStream(
  settings: Settings,
  request: OpeningRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamBlock, void, undefined> {
  const requestId = crypto.randomUUID();
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const allow = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(silent(milliseconds, requestId)), milliseconds);
  };
  signal?.throwIfAborted();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    allow(settings.timeoutMilliseconds);
    const response = await open(settings, request, requestId, controller.signal);
    const readBlocks = blockReader();
    const read = textReader(response);
    for (;;) {
      allow(silenceMilliseconds);
      const text = await read();
      // The caller may take its time with each block.
      clearTimeout(timer);
      if (text === undefined) return;
      yield* readBlocks(text);
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof GatehouseError) throw cause;
    const { reason } = controller.signal;
    throw reason instanceof GatehouseError ? reason : broken(requestId, cause);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    controller.abort();
  }
}

async function open(
  { fetch, apiUrl, key, userAgent }: Settings,
  { query, lastEventId }: OpeningRequest,
  requestId: string,
  signal: AbortSignal,
): Promise<Response> {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const headers = {
    accept: 'text/event-stream',
    authorization: `Bearer ${key}`,
    'user-agent': userAgent,
    'x-request-id': requestId,
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  };
  const url = `${apiUrl}/events/stream${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`;
  const response = await fetch(url, { headers, redirect: 'manual', signal });
  const isStream = response.ok && response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!isStream) readResponse(response, await response.text(), requestId);
  return response;
}

/** Returns the next part of the text of a response; undefined at its end. */
function textReader({ body }: Response): () => Promise<string | undefined> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  return async () => {
    const { done, value } = (await reader?.read()) ?? { done: true };
    return done ? undefined : decoder.decode(value, { stream: true });
  };
}

function silent(milliseconds: number, requestId: string): GatehouseError {
  return new GatehouseError(`The service sent nothing for ${milliseconds} ms.`, {
    code: 'timeout',
    requestId,
  });
}

function broken(requestId: string, cause: unknown): GatehouseError {
  const message =
    'The connection to the service broke, or could not be opened. Check the URL and the network.';
  return new GatehouseError(message, { code: 'network_error', requestId, cause });
}
