import {
  eventTypes,
  lastEventIdHeader,
  maxStreamsOfSite,
  type Operation,
  streamEvents,
} from '@gatehouse/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, invalidRequest } from '../../base/api-error.ts';
import { isUuid } from '../../base/ids.ts';
import { gauge, type Metric } from '../../base/metrics/metric.ts';
import { type FeedCursor, findCursorAfter, findEndOfFeed } from '../../domain/events/event-feed.ts';
import type { EventFeeds } from '../../runtime/event-feeds.ts';
import type { Database } from '../../storage/database.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import type { Admission } from '../shared/admission.ts';
import type { Draining } from '../shared/draining.ts';
import { compileShapeCheck } from '../shared/json/validation.ts';
import { beginningOfFeed, EventStream, type StreamFilter } from './event-stream.ts';

const checkMilliseconds = 100;
/** The callers are checked at once when a key has changed, and regularly for everything else. */
const callerMilliseconds = 2_000;
const heartbeatMilliseconds = 10_000;
/** Of all sites. */
const maxStreams = 5_000;
const retryAfterSeconds = 10;

export interface EventStreamsParts {
  readonly admission: Admission;
  readonly database: Database;
  readonly feeds: EventFeeds;
  readonly draining: Draining;
}

interface OpenStream {
  readonly stream: EventStream;
  readonly authorization: string | undefined;
}

/** The open streams of events of this process, by site. */
export class EventStreams {
  readonly #parts: EventStreamsParts;
  readonly #open = new Map<string, Set<OpenStream>>();
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;
  #signals: number | undefined;
  #isChecking = false;
  #callersCheckedAt = 0;
  #heartbeatAt = 0;

  constructor(parts: EventStreamsParts) {
    this.#parts = parts;
    parts.draining.onBegin(() => this.close());
  }

  metrics(): readonly Metric[] {
    return [gauge('gatehouse_event_streams', 'The open streams of events.', this.#all().length)];
  }

  /** Adds the route of the streams. */
  addTo(server: FastifyInstance): void {
    const operation: Operation = streamEvents;
    const checkShape = compileShapeCheck(operation);
    server.addHook('preClose', async () => {
      this.#isStopping = true;
      this.close();
    });
    server.route({
      method: 'GET',
      url: streamEvents.path,
      config: { operation },
      handler: async (request, reply) => {
        checkShape({ params: request.params, query: request.query, body: undefined });
        // The rest of its body would otherwise be waited for in the middle of the stream.
        if (!request.raw.complete) throw invalidRequest('', 'The request has a body. Send it without one.');
        const filter = filterOf(request.query as StreamQuery);
        const cursor = await this.#cursorOf(request);
        reply.header('content-type', 'text/event-stream; charset=utf-8');
        // Without it, nginx would keep the events back until it has enough of them.
        reply.header('x-accel-buffering', 'no');
        this.#requireRoom(request.caller!.siteId, reply);
        if (request.method === 'HEAD') return reply.send();
        this.#start(request, reply, filter, cursor);
        return reply;
      },
    });
  }

  /** Ends all streams. Their readers connect again, to another process or to the next one. */
  close(): void {
    for (const { stream } of this.#all()) stream.end();
  }

  #all(): OpenStream[] {
    return [...this.#open.values()].flatMap((streams) => [...streams]);
  }

  /** Where the reader wants to begin. @throws {ApiError} `invalid_request`, `invalid_cursor` */
  async #cursorOf({ headers, query, caller }: FastifyRequest): Promise<FeedCursor> {
    const { database } = this.#parts;
    const { siteId } = caller!;
    const last = headers[lastEventIdHeader.toLowerCase()] as string | undefined;
    const after = last ?? (query as StreamQuery).after;
    if (after === undefined) return findEndOfFeed(database, siteId);
    if (!isUuid(after)) {
      throw invalidRequest(`/${lastEventIdHeader}`, `${lastEventIdHeader} must be the id of an event.`);
    }
    if (after === beginningOfFeed) return { position: 0, eventId: undefined };
    return findCursorAfter(database, siteId, after.toLowerCase());
  }

  /** @throws {ApiError} `too_many_streams` */
  #requireRoom(siteId: string, reply: FastifyReply): void {
    const ofSite = this.#open.get(siteId)?.size ?? 0;
    if (ofSite < maxStreamsOfSite && this.#all().length < maxStreams) return;
    reply.header('retry-after', retryAfterSeconds);
    throw new ApiError(
      'too_many_streams',
      ofSite < maxStreamsOfSite
        ? `The service has ${maxStreams} open event streams, the maximum. Try again later.`
        : `This site has ${maxStreamsOfSite} open event streams, the maximum. Close one that is no longer needed.`,
    );
  }

  #start(request: FastifyRequest, reply: FastifyReply, filter: StreamFilter, cursor: FeedCursor): void {
    reply.hijack();
    const { raw: response } = reply;
    // Then nothing would tell later that the client has left.
    if (response.destroyed || request.raw.socket.readableEnded) return void response.destroy();
    response.writeHead(200, reply.getHeaders() as Record<string, string>);
    request.server.recordOpened?.(request, reply);
    const { siteId } = request.caller!;
    const onError = (error: unknown) => {
      if (!(error instanceof StoreUnavailable)) request.log.error({ err: error }, 'an event stream failed');
    };
    const stream = new EventStream({ siteId, response, filter, feeds: this.#parts.feeds, onError }, cursor);
    const open = { stream, authorization: request.headers.authorization };
    const ofSite = this.#open.get(siteId) ?? new Set();
    this.#open.set(siteId, ofSite.add(open));
    // A client that has left may look like one that has only finished sending.
    const { socket } = request.raw;
    const leave = () => stream.end();
    socket.once('end', leave);
    response.once('close', () => {
      socket.off('end', leave);
      stream.end();
      ofSite.delete(open);
      if (ofSite.size === 0 && this.#open.get(siteId) === ofSite) this.#open.delete(siteId);
      if (this.#open.size === 0) this.#stopTimer();
    });
    this.#startTimer();
    if (this.#isStopping) stream.end();
    stream.start();
  }

  #startTimer(): void {
    // Something may have changed since the caller was admitted.
    this.#signals = undefined;
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
    const isDue = signals !== this.#signals || now - this.#callersCheckedAt >= callerMilliseconds;
    if (!isDue || this.#isChecking) return;
    this.#signals = signals;
    this.#callersCheckedAt = now;
    this.#isChecking = true;
    this.#checkCallers().finally(() => {
      this.#isChecking = false;
    });
  }

  /** Ends the streams whose callers may no longer read. */
  async #checkCallers(): Promise<void> {
    for (const [authorization, streams] of Map.groupBy(this.#all(), (open) => open.authorization)) {
      try {
        await this.#parts.admission.admitStream(authorization, streamEvents);
      } catch (error) {
        // While the store is unavailable, there is nothing to read either.
        if (!(error instanceof StoreUnavailable)) for (const { stream } of streams) stream.end();
      }
    }
  }
}

interface StreamQuery {
  readonly after?: string;
  readonly types?: string;
  readonly groupIds?: string;
}

function filterOf({ types, groupIds }: StreamQuery): StreamFilter {
  const listed = types?.split(',');
  const unknown = listed?.find((type) => !(eventTypes as readonly string[]).includes(type));
  if (unknown !== undefined) {
    throw invalidRequest('/types', `types contains ${unknown}, which is no type of an event.`);
  }
  return {
    types: listed && new Set(listed),
    groupIds: groupIds === undefined ? undefined : new Set(groupIds.toLowerCase().split(',')),
  };
}
