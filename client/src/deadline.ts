import { GatehouseError } from './error.ts';

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
      ? new GatehouseError(`The service gave no whole answer within ${milliseconds} ms.`, {
          code: 'timeout',
          requestId,
          cause,
        })
      : new GatehouseError(
          `The service could not be reached: ${reasonOf(cause)}. Check address and network.`,
          {
            code: 'network_error',
            requestId,
            cause,
          },
        );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** What `fetch` says, or what is behind it where it says no more than that it failed. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return (
    (cause.cause instanceof Error &&
      (cause.cause.message || String((cause.cause as { code?: string }).code))) ||
    cause.message
  );
}
