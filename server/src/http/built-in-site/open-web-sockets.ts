import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { Visit } from './content.ts';

/** How long a WebSocket may outlive the access of its visitor. */
const checkSeconds = 5;

interface End {
  readonly socket: Duplex;
  /** The first bytes behind the headers. */
  readonly head: Buffer;
}

/** Closes the open WebSockets of visitors who have lost access: by a logout, a change, or the end of their session. */
export class OpenWebSockets {
  readonly #logger: FastifyBaseLogger;
  readonly #open = new Map<Duplex, Visit>();
  #timer: NodeJS.Timeout | undefined;

  constructor(logger: FastifyBaseLogger) {
    this.#logger = logger;
  }

  /** Connects the two ends of a WebSocket. If one closes, so does the other. */
  connect(visit: Visit, visitor: End, upstream: End): void {
    const { socket } = visitor;
    this.#open.set(socket, visit);
    this.#timer ??= setTimeout(() => this.#checkAll(), checkSeconds * 1_000).unref();
    for (const [end, other] of [
      [visitor, upstream],
      [upstream, visitor],
    ] as const) {
      // Both ends send pings as they need.
      if ('setTimeout' in end.socket) (end.socket.setTimeout as (milliseconds: number) => void)(0);
      end.socket.on('error', () => end.socket.destroy());
      end.socket.once('close', () => other.socket.destroy());
      if (end.head.length > 0) other.socket.write(end.head);
      end.socket.pipe(other.socket);
    }
    socket.once('close', () => this.#open.delete(socket));
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const socket of this.#open.keys()) socket.destroy();
  }

  async #checkAll(): Promise<void> {
    for (const [socket, visit] of this.#open) {
      try {
        if (!(await visit.isStillAllowed())) socket.destroy();
      } catch (error) {
        this.#logger.warn({ err: error }, 'an open WebSocket could not be checked');
      }
    }
    this.#timer =
      this.#open.size === 0 ? undefined : setTimeout(() => this.#checkAll(), checkSeconds * 1_000).unref();
  }
}
