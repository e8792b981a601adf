import { GatehouseError, type GatehouseErrorFacts } from './error.ts';

interface Deadline {
  readonly milliseconds: number;
  /** The signal of the caller. */
  readonly signal: AbortSignal | undefined;
  readonly requestId: string;
}

/**
 * Runs work with a signal that aborts after the time limit or when the signal of the caller aborts. (`AbortSignal.any`
 * would do the same, but in Node 20 it leaks memory on long-lived signals.)
 * @throws the reason of the caller's signal; GatehouseError `timeout`; GatehouseError `network_error` for any other
 * error of the work
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

type ErrorContext = Pick<GatehouseErrorFacts, 'requestId' | 'cause'>;

function timedOut(milliseconds: number, context: ErrorContext): GatehouseError {
  const message = `The service did not send a complete response within ${milliseconds} ms.`;
  return new GatehouseError(message, { code: 'timeout', ...context });
}

function unreachable(context: ErrorContext): GatehouseError {
  const message = `The service could not be reached: ${reasonOf(context.cause)}. Check the URL and the network.`;
  return new GatehouseError(message, { code: 'network_error', ...context });
}

/** The innermost message or code: the message of `fetch` itself says only that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message || String('code' in error ? error.code : error.name);
}
