/** What one check of `./gatehouse doctor` found. `advice` says what to do about a `warn` or `fail`. */
export interface Check {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly advice?: string;
}

export function ok(check: string, message: string): Check {
  return { check, state: 'ok', message };
}

/** Something that works, and may one day not. */
export function warn(check: string, message: string, advice: string): Check {
  return { check, state: 'warn', message, advice };
}

export function fail(check: string, message: string, advice: string): Check {
  return { check, state: 'fail', message, advice };
}
