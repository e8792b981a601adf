import type { IncomingMessage } from 'node:http';
import { hasBody } from '../shared/arrival.ts';

/** What a slow mobile line exceeds several times over. */
const minBytesPerSecond = 1_024;
/** How many times as long a body may pause that has arrived fast so far. */
const maxAdvance = 3;
const checkMilliseconds = 1_000;

interface Arrival {
  /** The bytes that its connection had received when it was checked last. */
  bytes: number;
  /** How long it may go on without a byte. */
  secondsLeft: number;
}

/**
 * Finds bodies that arrive too slowly. Each may take the seconds given to it, and every KiB that arrives adds another
 * one. The time in which the server itself does not read counts for nothing.
 */
export class SlowBodies {
  readonly #seconds: number;
  readonly #onSlow: (request: IncomingMessage) => void;
  readonly #arriving = new Map<IncomingMessage, Arrival>();
  #timer: NodeJS.Timeout | undefined;
  #checkedAt = 0;

  /** @param seconds how long a body may take, whatever its rate */
  constructor(seconds: number, onSlow: (request: IncomingMessage) => void) {
    this.#seconds = seconds;
    this.#onSlow = onSlow;
  }

  watch(request: IncomingMessage): void {
    if (!hasBody(request) || request.complete) return;
    this.#arriving.set(request, { bytes: request.socket.bytesRead, secondsLeft: this.#seconds });
    request.once('close', () => this.#arriving.delete(request));
    if (this.#timer) return;
    this.#checkedAt = performance.now();
    this.#timer = setInterval(() => this.#checkAll(), checkMilliseconds).unref();
  }

  #checkAll(): void {
    const now = performance.now();
    const elapsedSeconds = (now - this.#checkedAt) / 1_000;
    this.#checkedAt = now;
    for (const [request, arrival] of this.#arriving) {
      if (request.complete) this.#arriving.delete(request);
      else this.#check(request, arrival, elapsedSeconds);
    }
    if (this.#arriving.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(request: IncomingMessage, arrival: Arrival, elapsedSeconds: number): void {
    const { bytesRead } = request.socket;
    const gained = (bytesRead - arrival.bytes) / minBytesPerSecond;
    arrival.bytes = bytesRead;
    const isRead = request.readableLength < request.readableHighWaterMark;
    const left = arrival.secondsLeft + gained - (isRead ? elapsedSeconds : 0);
    arrival.secondsLeft = Math.min(left, this.#seconds * maxAdvance);
    if (arrival.secondsLeft > 0) return;
    this.#arriving.delete(request);
    this.#onSlow(request);
  }
}
