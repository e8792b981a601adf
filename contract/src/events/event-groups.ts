import { type Static, Type } from 'typebox';
import { maxEventsInGroup } from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import { exampleIds, integer, openEnumeration, shape, uuid, withCommas } from '../shared/schemas.ts';
import { Event, eventFilters, eventTypes } from './events.ts';

const events = (description: string, example: number) => integer(description, example, { minimum: 1 });

export const EventGroup = shape('EventGroup', 'A summary of the events that one request caused.', {
  id: uuid('The oldest event of the group.', exampleIds.event),
  count: events('The number of events in the group.', 500),
  types: Type.Array(
    shape('EventGroupType', 'The events of one type: their number and the oldest of them.', {
      type: openEnumeration(eventTypes, 'A type of event.', 'member.created'),
      count: events('The number of events of this type.', 500),
      first: Event,
    }),
    { description: 'The types of the events, in the order in which they first happened.' },
  ),
});
export type EventGroup = Static<typeof EventGroup>;

const groups = new Resource({
  tag: 'Events',
  name: 'event group',
  read: 'events:read',
  write: 'events:read',
});

export const eventGroupOperations = named({
  listEventGroups: groups.list({
    path: '/event-groups',
    summary: 'List events by request',
    description:
      'The events of the site, newest first, grouped by request: a bulk action on 500 members is one group of 500 or more ' +
      `events. A group has at most ${withCommas(maxEventsInGroup)} events. ` +
      'An event must match all given filters. To get the events of a group, list events with the `requestId` of its ' +
      'first event, with `since` set to its time, and with `until` one millisecond later.',
    query: eventFilters,
    returns: EventGroup,
  }),
});
