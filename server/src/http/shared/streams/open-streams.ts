import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../base/api-error.ts';
import type { FeedCursor } from '../../../domain/events/event-feed.ts';
import type { EventFeeds } from '../../../runtime/event-feeds.ts';
import type { Database } from '../../../storage/database.ts';
import { StoreUnavailable } from '../../../storage/errors.ts';
import type { Draining } from '../draining.ts';
import { EventStream, type EventStreamParts } from './event-stream.ts';

const checkMilliseconds = 100;
/** The readers are checked at once when a key or a role has changed, and regularly for everything else. */
const readerMilliseconds = 2_000;
const heartbeatMilliseconds = 10_000;
const retryAfterSeconds = 10;

export interface StreamsParts {
  readonly database: Database;
  readonly feeds: EventFeeds;
  readonly draining: Draining;
}

/** How many streams may be open at the same time, and what is said when there is no room. */
export interface StreamLimits {
  readonly maxOfOwner: number;
  readonly maxOfAll: number;
  readonly ownerIsFull: string;
  readonly allAreFull: string;
}

/** The reader of a stream. */
export interface StreamReader extends Pick<EventStreamParts, 'siteId' | 'textOf'> {
  /** Whose streams are limited together. */
  readonly owner: string;
  /** Readers with the same credential are checked together. */
  readonly credential: string | undefined;
  /** Rejects when the reader may no longer read. */
  readonly check: () => Promise<unknown>;
}

interface OpenStream {
  readonly stream: EventStream;
  readonly reader: StreamReader;
}

/** The open streams of one kind in this process. They end when their readers may no longer read. */
export class OpenStreams {
  readonly #parts: StreamsParts;
  readonly #limits: StreamLimits;
  readonly #open = new Map<string, Set<OpenStream>>();
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;
  #signals: number | undefined;
  #isChecking = false;
  #readersCheckedAt = 0;
  #heartbeatAt = 0;

  constructor(parts: StreamsParts, limits: StreamLimits) {
    this.#parts = parts;
    this.#limits = limits;
    parts.draining.onBegin(() => this.close());
  }

  get count(): number {
    return this.#all().length;
  }

  /** Ends the streams when the server stops. */
  closeWith(server: FastifyInstance): void {
    server.addHook('preClose', async () => {
      this.#isStopping = true;
      this.close();
    });
  }

  /** Ends all streams. Their readers connect again, to another process or to the next one. */
  close(): void {
    for (const { stream } of this.#all()) stream.end();
  }

  /** Checks all readers soon, because something has changed that the store does not signal. */
  checkSoon(): void {
    this.#signals = undefined;
  }

  /** Answers a request with a stream. @throws {ApiError} `too_many_streams` */
  open(request: FastifyRequest, reply: FastifyReply, reader: StreamReader, cursor: FeedCursor): FastifyReply {
    reply.header('content-type', 'text/event-stream; charset=utf-8');
    // Without it, nginx would keep the events back until it has enough of them.
    reply.header('x-accel-buffering', 'no');
    this.#requireRoom(reader.owner, reply);
    if (request.method === 'HEAD') return reply.send();
    this.#start(request, reply, reader, cursor);
    return reply;
  }

  #all(): OpenStream[] {
    return [...this.#open.values()].flatMap((streams) => [...streams]);
  }

  #requireRoom(owner: string, reply: FastifyReply): void {
    const { maxOfOwner, maxOfAll, ownerIsFull, allAreFull } = this.#limits;
    const isOwnerFull = (this.#open.get(owner)?.size ?? 0) >= maxOfOwner;
    if (!isOwnerFull && this.count < maxOfAll) return;
    reply.header('retry-after', retryAfterSeconds);
    throw new ApiError('too_many_streams', isOwnerFull ? ownerIsFull : allAreFull);
  }

  #start(request: FastifyRequest, reply: FastifyReply, reader: StreamReader, cursor: FeedCursor): void {
    reply.hijack();
    const { raw: response } = reply;
    // Then nothing would tell later that the client has left.
    if (response.destroyed || request.raw.socket.readableEnded) return void response.destroy();
    response.writeHead(200, reply.getHeaders() as Record<string, string>);
    request.server.recordOpened?.(request, reply);
    const onError = (error: unknown) => {
      if (!(error instanceof StoreUnavailable)) request.log.error({ err: error }, 'an event stream failed');
    };
    const { siteId, textOf, owner } = reader;
    const stream = new EventStream({ siteId, response, textOf, feeds: this.#parts.feeds, onError }, cursor);
    const open = { stream, reader };
    const ofOwner = this.#open.get(owner) ?? new Set();
    this.#open.set(owner, ofOwner.add(open));
    // A client that has left may look like one that has only finished sending.
    const { socket } = request.raw;
    const leave = () => stream.end();
    socket.once('end', leave);
    response.once('close', () => {
      socket.off('end', leave);
      stream.end();
      ofOwner.delete(open);
      if (ofOwner.size === 0 && this.#open.get(owner) === ofOwner) this.#open.delete(owner);
      if (this.#open.size === 0) this.#stopTimer();
    });
    this.#startTimer();
    if (this.#isStopping) stream.end();
    stream.start();
  }

  #startTimer(): void {
    // Something may have changed since the reader was admitted.
    this.checkSoon();
    if (this.#timer) return;
    this.#heartbeatAt = performance.now();
    this.#timer = setInterval(() => this.#check(), checkMilliseconds).unref();
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    const now = performance.now();
    if (now - this.#heartbeatAt >= heartbeatMilliseconds) {
      this.#heartbeatAt = now;
      for (const { stream } of this.#all()) stream.sendHeartbeat();
    }
    const signals = this.#parts.database.signals();
    const isDue = signals !== this.#signals || now - this.#readersCheckedAt >= readerMilliseconds;
    if (!isDue || this.#isChecking) return;
    this.#signals = signals;
    this.#readersCheckedAt = now;
    this.#isChecking = true;
    this.#checkReaders().finally(() => {
      this.#isChecking = false;
    });
  }

  async #checkReaders(): Promise<void> {
    for (const streams of Map.groupBy(this.#all(), ({ reader }) => reader.credential).values()) {
      try {
        await streams[0]!.reader.check();
      } catch (error) {
        // While the store is unavailable, there is nothing to read either.
        if (!(error instanceof StoreUnavailable)) for (const { stream } of streams) stream.end();
      }
    }
  }
}
