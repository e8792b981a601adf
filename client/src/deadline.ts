import { GatehouseError, type GatehouseErrorFacts } from './error.ts';

interface Deadline {
  readonly milliseconds: number;
  /** The caller's own. */
  readonly signal: AbortSignal | undefined;
  readonly requestId: string;
}

/**
 * Does work whose signal aborts when the time is over or the caller's own signal aborts. (`AbortSignal.any` would do, but
 * in Node 20 it leaks on a signal that lives as long as the program.)
 * @throws the caller's reason; GatehouseError `timeout`; GatehouseError `network_error` for what the work throws otherwise
 */
export async function withDeadline<Result>(
  { milliseconds, signal, requestId }: Deadline,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(), milliseconds);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await work(controller.signal);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof GatehouseError) throw cause;
    throw controller.signal.aborted
      ? timedOut(milliseconds, { requestId, cause })
      : unreachable({ requestId, cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

type Circumstances = Pick<GatehouseErrorFacts, 'requestId' | 'cause'>;

function timedOut(milliseconds: number, circumstances: Circumstances): GatehouseError {
  const message = `The service gave no whole answer within ${milliseconds} ms.`;
  return new GatehouseError(message, { code: 'timeout', ...circumstances });
}

function unreachable(circumstances: Circumstances): GatehouseError {
  const message = `The service could not be reached: ${reasonOf(circumstances.cause)}. Check address and network.`;
  return new GatehouseError(message, { code: 'network_error', ...circumstances });
}

/** The innermost message or code: `fetch` itself says no more than that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message || String('code' in error ? error.code : error.name);
}
