import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ByteBudget } from './byte-budget.ts';

/** What a part that waits takes beside its bytes. */
const bytesOfPart = 512;

/**
 * Passes on the response of a program, every part as it arrives. If the visitor reads more slowly than the program writes,
 * up to this many bytes wait here, so that a small response occupies the program no longer than it needs.
 * @throws if the program or the visitor ends the response early
 */
export async function readAhead(
  source: Readable,
  target: Writable,
  maxBytes: number,
  budget: ByteBudget,
): Promise<void> {
  let held = 0;
  let parts = 0;
  /** Whether this many bytes may wait. */
  const hold = (bytes: number): boolean => {
    if (bytes > held && !budget.reserve(bytes - held)) return false;
    if (bytes < held) budget.release(held - bytes);
    held = bytes;
    return true;
  };
  source.on('data', (chunk) => {
    if (target.write(chunk)) return;
    parts += 1;
    const waiting = target.writableLength + parts * bytesOfPart;
    if (waiting > maxBytes || !hold(waiting)) source.pause();
  });
  source.once('end', () => target.end());
  target.on('drain', () => {
    parts = 0;
    hold(0);
    source.resume();
  });
  try {
    await Promise.all([finished(source), finished(target)]);
  } finally {
    hold(0);
  }
}
