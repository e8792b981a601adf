import { type Static, Type } from 'typebox';
import { eventTypes } from '../events/events.ts';
import { maxStreamsOfOperator } from '../shared/limits.ts';
import { closed, exampleIds, nullable, openEnumeration, shape, text, uuid } from '../shared/schemas.ts';
import type { DashboardOperation } from './operation.ts';

export const SiteChanges = shape('SiteChanges', 'What events that were committed together are about.', {
  types: Type.Array(openEnumeration(eventTypes, 'A type.', eventTypes[0]!), {
    description: 'The types of the events.',
  }),
  memberIds: nullable(
    Type.Array(uuid('A member.', exampleIds.member), {
      description: 'The members that the events are about; null for many.',
    }),
  ),
});
export type SiteChanges = Static<typeof SiteChanges>;

export const streamSiteChanges = {
  id: 'streamSiteChanges',
  method: 'GET',
  path: '/sites/{siteId}/changes',
  tag: 'Sites',
  summary: 'Follow changes',
  description:
    'What changes on a site, as a stream of server-sent events (`text/event-stream`, HTML Standard, section 9.2), with ' +
    'which pages know which of their data to fetch again. It says what the new events are about, and not what is in ' +
    'them. The `id` of each block is that of the last event, also in comments, which are sent every 10 seconds. The ' +
    "stream ends when the session ends, when the operator's role on the site changes, and when the service stops. An " +
    `operator may have ${maxStreamsOfOperator} streams at each process of the service.`,
  params: Type.Object({ siteId: uuid('A site that the operator has a role on.', exampleIds.site) }),
  query: closed({
    after: Type.Optional(
      uuid(
        'Begin after the event with this id. Left out, the stream begins with the next event.',
        exampleIds.event,
      ),
    ),
  }),
  body: null,
  success: {
    status: 200,
    description: 'The stream, which does not end by itself.',
    body: text(
      'Server-sent events. The `data` of each is `SiteChanges` as JSON.',
      `id: ${exampleIds.event}\ndata: {"types":["${eventTypes[0]}"],"memberIds":["${exampleIds.member}"]}\n\n`,
      { title: 'SiteChangeStream' },
    ),
    mediaType: 'text/event-stream',
  },
  errors: ['permission_denied', 'invalid_cursor', 'too_many_streams'],
} as const satisfies DashboardOperation;
