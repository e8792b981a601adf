import type { Connection } from './connection.ts';
import { GatehouseError } from './error.ts';
import type { Page } from './list.ts';
import { backOff, isTemporary } from './retry.ts';

// Few programs need it, and browsers load it only then.

export interface FollowOptions {
  readonly intervalMilliseconds: number;
  readonly signal: AbortSignal | undefined;
}

interface Identified {
  readonly id: string;
}

/**
 * Yields each item of a list that grows at its end, from a cursor on, until the signal aborts.
 * @param read requests the page after a cursor
 * @throws GatehouseError for an error that is not temporary
 */
export async function* followList<Item extends Identified>(
  connection: Connection,
  read: (after: string | undefined) => Promise<Page<Item>>,
  start: string | undefined,
  { intervalMilliseconds, signal }: FollowOptions,
): AsyncGenerator<Item, void, undefined> {
  let after = start;
  const pause = (milliseconds: number) => connection.wait(milliseconds, signal).catch(() => {});
  for (let failures = 0; !signal?.aborted; ) {
    const page = await read(after).catch((error: unknown) => {
      if (signal?.aborted) return undefined;
      if (!(error instanceof GatehouseError && isTemporary(error))) throw error;
      return error;
    });
    if (page instanceof GatehouseError) {
      await pause(Math.max(backOff(failures), (page.retryAfterSeconds ?? 0) * 1_000));
      failures += 1;
      continue;
    }
    failures = 0;
    for (const item of page?.data ?? []) {
      yield item;
      if (signal?.aborted) return;
      after = item.id;
    }
    if (!page?.pagination.hasMore) await pause(intervalMilliseconds);
  }
}
