import { BroadcastChannel } from 'node:worker_threads';

/** How far the last id may be ahead of the clock. Many ids in a millisecond use the next ones, but never so many. */
export const maxAheadMilliseconds = 60_000;

/** The name of the warning. */
const warningName = 'IdsAheadOfClock';
const channelName = 'gatehouse: ids ahead of the clock';

/**
 * Reports once that the ids of this thread are ahead of the clock, which was wrong before: as a warning, which goes to
 * the log, and to the other threads of the process.
 * @param lastTime the time of the last id, in milliseconds since 1970
 */
export function reportIdsAhead(lastTime: number): void {
  process.emitWarning(
    `The process ${process.pid} uses times up to ${new Date(lastTime).toISOString()}, which is ahead of the clock, because ` +
      'the clock was wrong before. New items get these times until the clock has caught up. Restart the process',
    warningName,
  );
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(lastTime);
  channel.close();
}

/** Calls back when a thread of this process reports ids ahead of the clock. Returns a function that stops it. */
export function onIdsAhead(report: (lastTime: number) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = (event) => report((event as { data: number }).data);
  channel.unref();
  return () => channel.close();
}
