import type { IncomingMessage } from 'node:http';

/** Parts of at least this size are passed on as they are. */
const minPartBytes = 512;

/**
 * Joins small parts of a body that arrive together, and all that arrive while no one reads. Each chunk is an object in
 * memory, which takes some hundred times the byte that it may carry, and Node limits only the bytes that wait.
 */
export function joinParts(message: IncomingMessage): void {
  const push = message.push.bind(message);
  const read = message.read.bind(message);
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let isScheduled = false;
  const pushWaiting = (): boolean => {
    if (waiting.length === 0) return true;
    const joined = Buffer.concat(waiting, waitingBytes);
    waiting = [];
    waitingBytes = 0;
    return message.destroyed || push(joined);
  };
  const endTurn = () => {
    isScheduled = false;
    // A reader that has read everything gets a part at once, however small it is.
    if (message.readableLength === 0) pushWaiting();
    else if (waiting.length > 1) waiting = [Buffer.concat(waiting, waitingBytes)];
  };
  message.push = (part: Buffer | null): boolean => {
    if (part === null || (waiting.length === 0 && part.length >= minPartBytes)) {
      pushWaiting();
      return push(part);
    }
    waiting.push(part);
    waitingBytes += part.length;
    // At once, because the parts of all connections that are read in this turn are in memory together.
    if (waitingBytes >= minPartBytes) return pushWaiting();
    // A tick would not do, as each chunk has its own.
    if (!isScheduled) setImmediate(endTurn);
    isScheduled = true;
    return message.readableLength < message.readableHighWaterMark;
  };
  message.read = (size?: number) => {
    // Node itself reads nothing to ask for more.
    if (size !== 0) pushWaiting();
    return read(size);
  };
}
