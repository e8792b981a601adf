import type { Readable } from 'node:stream';
import type { ByteBudget } from './byte-budget.ts';

const minBufferBytes = 16 * 1024;

/** The beginning of a body, received before the program is connected to. */
export interface BodyStart {
  readonly bytes: Buffer;
  readonly isComplete: boolean;
  /** Releases its memory for other requests. */
  release(): void;
}

/**
 * Receives a body until it is complete or longer than this, or until no memory is left. Undefined if the visitor leaves
 * before. The rest stays in the stream.
 */
export function receiveStart(
  body: Readable,
  maxBytes: number,
  budget: ByteBudget,
): Promise<BodyStart | undefined> {
  // One buffer, because an object for each of many small parts would take more memory than their bytes.
  let buffer = Buffer.alloc(0);
  let length = 0;
  let reserved = 0;
  const release = () => {
    budget.release(reserved);
    reserved = 0;
  };
  /** Whether the memory was still free. Without it the part is added all the same, and nothing is read after it. */
  const add = (part: Buffer): boolean => {
    const needed = length + part.length;
    if (needed > buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, buffer.length * 2, minBufferBytes));
      buffer.copy(larger, 0, 0, length);
      buffer = larger;
    }
    part.copy(buffer, length);
    length = needed;
    const isFree = budget.reserve(buffer.length - reserved);
    if (isFree) reserved = buffer.length;
    return isFree;
  };
  return new Promise((resolve) => {
    const onData = (part: Buffer) => {
      if (!add(part) || length > maxBytes) stop(false);
    };
    const onEnd = () => stop(true);
    const onClose = () => {
      release();
      resolve(undefined);
    };
    const stop = (isComplete: boolean) => {
      body.pause().off('data', onData).off('end', onEnd).off('close', onClose);
      resolve({ bytes: buffer.subarray(0, length), isComplete, release });
    };
    body.on('data', onData).once('end', onEnd).once('close', onClose);
  });
}
