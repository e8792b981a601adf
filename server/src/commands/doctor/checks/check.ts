/** The result of one check of `./gatehouse doctor`. `advice` says what to do about a `warning` or `failed`. */
export interface Check {
  readonly check: string;
  /** The slug of the site; undefined for a check of the whole installation. */
  readonly site?: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message: string;
  readonly advice?: string;
}

export function ok(check: string, message: string): Check {
  return { check, status: 'ok', message };
}

/** A problem that does not stop anything yet. */
export function warn(check: string, message: string, advice: string): Check {
  return { check, status: 'warning', message, advice };
}

export function fail(check: string, message: string, advice: string): Check {
  return { check, status: 'failed', message, advice };
}

/** Waits for a result at most this long. @throws {Error} after that time */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`no answer within ${milliseconds / 1_000} s`)),
    milliseconds,
  );
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** The innermost message or code: the error of `fetch` itself only says that it failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return (error.message || (error as NodeJS.ErrnoException).code) ?? error.name;
}
