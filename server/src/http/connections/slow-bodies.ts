import type { IncomingMessage } from 'node:http';
import { hasBody } from '../shared/observe/arrival.ts';

/** What a slow mobile line exceeds several times over. */
const minBytesPerSecond = 1_024;
const checkMilliseconds = 1_000;

interface Arrival {
  /** The bytes that its connection had received when it was checked last. */
  bytes: number;
  /** How long it may continue without a byte. */
  secondsLeft: number;
}

/** How many seconds a body may take. */
export interface BodyPauses {
  /** Whatever its rate; every KiB that arrives adds another second. */
  readonly initialSeconds: number;
  /** At most this many seconds without a byte, however fast it arrived so far. */
  readonly maxSeconds: number;
}

/** Finds bodies that arrive too slowly. The time in which the server itself does not read counts for nothing. */
export class SlowBodies {
  readonly #pauses: BodyPauses;
  readonly #onSlow: (request: IncomingMessage) => void;
  readonly #arriving = new Map<IncomingMessage, Arrival>();
  #timer: NodeJS.Timeout | undefined;
  #checkedAt = 0;

  constructor(pauses: BodyPauses, onSlow: (request: IncomingMessage) => void) {
    this.#pauses = pauses;
    this.#onSlow = onSlow;
  }

  watch(request: IncomingMessage): void {
    if (!hasBody(request) || request.complete) return;
    this.#arriving.set(request, {
      bytes: request.socket.bytesRead,
      secondsLeft: this.#pauses.initialSeconds,
    });
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
    arrival.secondsLeft = Math.min(left, this.#pauses.maxSeconds);
    if (arrival.secondsLeft > 0) return;
    this.#arriving.delete(request);
    this.#onSlow(request);
  }
}
