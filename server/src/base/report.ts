/** Writes to the log what happens outside a request. */
export type Report = (level: 'info' | 'warn' | 'error', message: string, facts: object) => void;

/** An error as plain data, which a worker thread can send to the log. */
export function factsOf(error: unknown): object {
  return { report: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
