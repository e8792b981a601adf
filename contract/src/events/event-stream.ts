import { Type } from 'typebox';
import { maxStreamFilterItems, maxStreamsOfKey, maxStreamsOfSite } from '../shared/limits.ts';
import type { StreamOperation } from '../shared/operation.ts';
import { closed, exampleIds, nothing, text, uuid } from '../shared/schemas.ts';
import { eventTypes } from './events.ts';

const typeForm = '[a-z-]+(?:\\.[a-z-]+)+';
const uuidForm = '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}';

const listForm = (form: string) => `^${form}(?:,${form}){0,${maxStreamFilterItems - 1}}$`;
/** Several values in one parameter, with commas between them. */
export const streamFilterForms = { types: listForm(typeForm), groupIds: listForm(uuidForm) };

function listOf(pattern: string, description: string, example: string) {
  return text(`${description}, separated by commas, at most ${maxStreamFilterItems}.`, example, {
    minLength: 1,
    maxLength: 4_000,
    pattern,
  });
}

/** Where a reader that has lost its connection continues (HTML Standard, section 9.2.6). Libraries send it themselves. */
export const lastEventIdHeader = 'Last-Event-ID';

export const streamEvents = {
  id: 'streamEvents',
  method: 'GET',
  path: '/events/stream',
  tag: 'Events',
  summary: 'Follow events',
  description:
    'Sends the events of the site as they happen, as server-sent events (`text/event-stream`, HTML Standard, section ' +
    '9.2). In each message, `id` is the id of the event, `event` its type, and `data` the event as JSON, as in the list ' +
    'of events. The stream begins after the event in `Last-Event-ID`, or else after the one in `after`; without either, ' +
    'with the next event. While no event matches the filters, messages with only an `id` show how far the stream is. ' +
    'Connect again with the last `id` that you received: no event is missed and none is sent twice. Something is sent ' +
    'at least every 10 seconds. The stream ends when the key is no longer valid, when the service stops, and when the ' +
    'reader has been too slow for 15 seconds; then connect again. On each process of the service, a site can have ' +
    `${maxStreamsOfSite} open streams, of which one API key or one operator can have ${maxStreamsOfKey}.`,
  permission: 'events:read',
  params: nothing,
  query: closed({
    after: Type.Optional(
      uuid(
        'Begin after the event with this id. If `Last-Event-ID` is sent as well, as by a reader that connects again, it ' +
          'applies instead. `00000000-0000-0000-0000-000000000000` begins with the oldest event.',
        exampleIds.event,
      ),
    ),
    types: Type.Optional(
      listOf(streamFilterForms.types, 'Only events of these types', `${eventTypes[0]},${eventTypes[1]}`),
    ),
    groupIds: Type.Optional(
      listOf(streamFilterForms.groupIds, 'Only events about these access groups', exampleIds.group),
    ),
  }),
  body: null,
  success: {
    status: 200,
    description: 'The stream. It stays open.',
    body: text(
      'Server-sent events. The `data` of each is an `Event` as JSON.',
      `id: ${exampleIds.event}\nevent: member.blocked\ndata: {"id":"${exampleIds.event}","type":"member.blocked", …}\n\n`,
      { title: 'EventStream' },
    ),
    headers: [],
    mediaType: 'text/event-stream',
  },
  errors: ['too_many_streams'],
} as const satisfies StreamOperation;
