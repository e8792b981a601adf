import type { Connection } from '../../http/connection.ts';
import type { SourceRun } from '../../types.ts';

// Few programs need it, and browsers load it only then.

/** The options of `sources.runs.wait`. */
export interface WaitForRun {
  /** How long to wait between two requests. Defaults to 1,000. */
  pollMilliseconds?: number | undefined;
  /** Called with the run after each request, for example to show its counts. */
  onProgress?: ((run: SourceRun) => void) | undefined;
  /** Ends the waiting, not the run. `wait` then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/**
 * Requests a run until it has ended.
 * @internal
 */
export async function pollRun(
  connection: Connection,
  read: () => Promise<SourceRun>,
  { pollMilliseconds = 1_000, onProgress, signal }: WaitForRun,
): Promise<SourceRun> {
  for (;;) {
    const run = await read();
    onProgress?.(run);
    if (run.endedAt !== null) return run;
    await connection.wait(pollMilliseconds, signal);
  }
}
