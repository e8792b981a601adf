import type { Readable } from 'node:stream';
import type { ByteBudget } from './byte-budget.ts';

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
  const chunks: Buffer[] = [];
  let reserved = 0;
  const release = () => {
    budget.release(reserved);
    reserved = 0;
  };
  return new Promise((resolve) => {
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      const hasRoom = budget.reserve(chunk.length);
      if (hasRoom) reserved += chunk.length;
      if (!hasRoom || reserved > maxBytes) stop(false);
    };
    const onEnd = () => stop(true);
    const onClose = () => {
      release();
      resolve(undefined);
    };
    const stop = (isComplete: boolean) => {
      body.pause().off('data', onData).off('end', onEnd).off('close', onClose);
      resolve({ bytes: Buffer.concat(chunks), isComplete, release });
    };
    body.on('data', onData).once('end', onEnd).once('close', onClose);
  });
}
