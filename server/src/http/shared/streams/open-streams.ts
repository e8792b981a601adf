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
export interface StreamLimit {
  readonly max: number;
  readonly isFull: string;
}

export interface StreamLimits {
  readonly ofAll: StreamLimit;
  /** By the kind of owner. */
  readonly ofOwners: Readonly<Record<string, StreamLimit>>;
}

/** The reader of a stream. */
export interface StreamReader extends Pick<EventStreamParts, 'siteId' | 'textOf'> {
  /** Whose streams are limited together, by the kind of owner: the site, the key or the operator. */
  readonly owners: Readonly<Record<string, string>>;
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
  readonly #open = new Set<OpenStream>();
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
    return this.#open.size;
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
    for (const { stream } of this.#open) stream.end();
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
    this.#requireRoom(reader, reply);
    if (request.method === 'HEAD') return reply.send();
    this.#start(request, reply, reader, cursor);
    return reply;
  }

  #requireRoom({ owners }: StreamReader, reply: FastifyReply): void {
    const { ofAll, ofOwners } = this.#limits;
    const full = Object.entries(ofOwners).find(([kind, { max }]) => this.#countOf(kind, owners[kind]) >= max);
    const exceeded = full?.[1] ?? (this.count >= ofAll.max ? ofAll : undefined);
    if (exceeded === undefined) return;
    reply.header('retry-after', retryAfterSeconds);
    throw new ApiError('too_many_streams', exceeded.isFull);
  }

  #countOf(kind: string, owner: string | undefined): number {
    let count = 0;
    for (const { reader } of this.#open) if (reader.owners[kind] === owner) count += 1;
    return count;
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
    const { siteId, textOf } = reader;
    const stream = new EventStream({ siteId, response, textOf, feeds: this.#parts.feeds, onError }, cursor);
    const open = { stream, reader };
    this.#open.add(open);
    // A client that has left may look like one that has only finished sending.
    const { socket } = request.raw;
    const leave = () => stream.end();
    socket.once('end', leave);
    response.once('close', () => {
      socket.off('end', leave);
      stream.end();
      this.#open.delete(open);
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
      for (const { stream } of this.#open) stream.sendHeartbeat();
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
    for (const streams of Map.groupBy(this.#open, ({ reader }) => reader.credential).values()) {
      try {
        await streams[0]!.reader.check();
      } catch (error) {
        // While the store is unavailable, there is nothing to read either.
        if (!(error instanceof StoreUnavailable)) for (const { stream } of streams) stream.end();
      }
    }
  }
}
