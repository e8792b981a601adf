/** What one check of `./gatehouse doctor` found. `advice` says what to do about a `warning` or `failed`. */
export interface Check {
  readonly check: string;
  /** The slug of the site that it is about; left out where it is about the whole. */
  readonly site?: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly message: string;
  readonly advice?: string;
}

export function ok(check: string, message: string): Check {
  return { check, state: 'ok', message };
}

/** Something that works, and may one day not. */
export function warn(check: string, message: string, advice: string): Check {
  return { check, state: 'warning', message, advice };
}

export function fail(check: string, message: string, advice: string): Check {
  return { check, state: 'failed', message, advice };
}

/** Waits for an answer at most so long. @throws Error that says so */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`no answer within ${milliseconds / 1_000} s`)),
    milliseconds,
  );
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** The innermost message or code: `fetch` itself says no more than that it failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return (error.message || (error as NodeJS.ErrnoException).code) ?? error.name;
}
