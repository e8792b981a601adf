import {
  eventTypes,
  lastEventIdHeader,
  maxStreamsOfKey,
  maxStreamsOfSite,
  type Operation,
  streamEvents,
} from '@gatehouse/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidRequest } from '../../base/api-error.ts';
import { isUuid } from '../../base/ids.ts';
import { gauge, type Metric } from '../../base/metrics/metric.ts';
import { type FeedCursor, type FeedEvent, findStart } from '../../domain/events/event-feed.ts';
import type { Admission } from '../shared/credentials/admission.ts';
import { compileShapeCheck } from '../shared/json/validation.ts';
import { OpenStreams, type StreamReader, type StreamsParts } from '../shared/streams/open-streams.ts';

/** Of all sites. */
const maxStreams = 5_000;

export interface EventStreamsParts extends StreamsParts {
  readonly admission: Admission;
}

/** The open streams of events of this process. */
export class EventStreams {
  readonly #parts: EventStreamsParts;
  readonly #streams: OpenStreams;

  constructor(parts: EventStreamsParts) {
    this.#parts = parts;
    this.#streams = new OpenStreams(parts, {
      ofOwners: {
        // First, so that who has too many reads of the own ones.
        caller: {
          max: maxStreamsOfKey,
          isFull: `You have ${maxStreamsOfKey} open event streams, the maximum of a key or an operator. Close one that is no longer needed.`,
        },
        site: {
          max: maxStreamsOfSite,
          isFull: `This site has ${maxStreamsOfSite} open event streams, the maximum. Close one that is no longer needed.`,
        },
      },
      ofAll: {
        max: maxStreams,
        isFull: `The service has ${maxStreams} open event streams, the maximum. Try again later.`,
      },
    });
  }

  metrics(): readonly Metric[] {
    return [gauge('gatehouse_event_streams', 'The open streams of events.', this.#streams.count)];
  }

  /** Adds the route of the streams. */
  addTo(server: FastifyInstance): void {
    const operation: Operation = streamEvents;
    const checkShape = compileShapeCheck(operation);
    this.#streams.closeWith(server);
    server.route({
      method: 'GET',
      url: streamEvents.path,
      config: { operation },
      handler: async (request, reply) => {
        checkShape({ params: request.params, query: request.query, body: undefined });
        // The rest of its body would otherwise be waited for in the middle of the stream.
        if (!request.raw.complete) throw invalidRequest('', 'The request has a body. Send it without one.');
        const reader = this.#readerOf(request);
        return this.#streams.open(request, reply, reader, await this.#cursorOf(request));
      },
    });
  }

  #readerOf({ headers: { authorization }, query, caller }: FastifyRequest): StreamReader {
    const { siteId, bucket } = caller!;
    const filter = filterOf(query as StreamQuery);
    return {
      siteId,
      owners: { caller: bucket, site: siteId },
      credential: authorization,
      check: () => this.#parts.admission.admitStream(authorization, streamEvents),
      textOf: (events) =>
        events
          .filter((each) => matches(each, filter))
          .map(blockOf)
          .join(''),
    };
  }

  /** Where the reader wants to begin. @throws {ApiError} `invalid_request`, `invalid_cursor` */
  async #cursorOf({ headers, query, caller }: FastifyRequest): Promise<FeedCursor> {
    const last = headers[lastEventIdHeader.toLowerCase()] as string | undefined;
    const after = last ?? (query as StreamQuery).after;
    if (after !== undefined && !isUuid(after)) {
      throw invalidRequest(`/${lastEventIdHeader}`, `${lastEventIdHeader} must be the id of an event.`);
    }
    return findStart({ db: this.#parts.database, siteId: caller!.siteId }, after);
  }
}

interface StreamQuery {
  readonly after?: string;
  readonly types?: string;
  readonly groupIds?: string;
}

interface StreamFilter {
  /** Undefined for all. */
  readonly types: ReadonlySet<string> | undefined;
  readonly groupIds: ReadonlySet<string> | undefined;
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

function matches({ groupId, event }: FeedEvent, { types, groupIds }: StreamFilter): boolean {
  if (types && !types.has(event.type)) return false;
  return !groupIds || (groupId !== null && groupIds.has(groupId));
}

/** The text is the same for all readers. */
const blocks = new WeakMap<FeedEvent, string>();

function blockOf(feedEvent: FeedEvent): string {
  const { id, type } = feedEvent.event;
  const block =
    blocks.get(feedEvent) ?? `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(feedEvent.event)}\n\n`;
  blocks.set(feedEvent, block);
  return block;
}
