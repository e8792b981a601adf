import Type, { type Static } from 'typebox';
import { Event, eventFilters, eventTypes } from './events.ts';
import type { Operation } from './operation.ts';
import { exampleIds, nothing, openEnumeration, page, pageParameters, uuid } from './schemas.ts';

/** The most events that one group has; those of a request that made more happen are in several groups. */
export const maxEventsInGroup = 10_000;

const events = (description: string, example: number) =>
  Type.Integer({ minimum: 1, description, examples: [example] });

export const EventGroup = Type.Object(
  {
    id: uuid('The oldest event of the group.', exampleIds.event),
    count: events('The events in the group.', 500),
    types: Type.Array(
      Type.Object(
        {
          type: openEnumeration(eventTypes, {
            description: 'A type of event.',
            examples: ['member.created'],
          }),
          count: events('The events of this type.', 500),
          first: Event,
        },
        { title: 'EventGroupType', description: 'The events of one type: how many, and the oldest of them.' },
      ),
      { description: 'The types of the events, in the order in which they first happened.' },
    ),
  },
  { title: 'EventGroup', description: 'What one request made happen, in short.' },
);
export type EventGroup = Static<typeof EventGroup>;

export const listEventGroups = {
  id: 'listEventGroups',
  method: 'GET',
  path: '/event-groups',
  tag: 'Events',
  summary: 'List events by request',
  description:
    'What has happened on the site, newest first, with all that one request made happen as one item: an action on 500 ' +
    `members is one group of 500 events or more. A group has at most ${maxEventsInGroup.toLocaleString('en')} events. ` +
    'All filters that are given must match. To get the events of a group, list events with the `requestId` of its ' +
    'first event, `since` its time, and `until` a millisecond later.',
  permission: 'events:read',
  params: nothing,
  query: Type.Object({ ...pageParameters, ...eventFilters }, { additionalProperties: false }),
  body: null,
  success: { status: 200, description: 'A page of event groups.', body: page(EventGroup), headers: ['Link'] },
  errors: [],
} as const satisfies Operation;
