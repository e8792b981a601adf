import { type Static, type TSchema, Type } from 'typebox';
import { accessGroupEvents } from './event-data/access-groups.ts';
import { administrationEvents } from './event-data/administration.ts';
import { loginEvents } from './event-data/logins.ts';
import { memberEvents } from './event-data/members.ts';
import { data, memberId } from './event-data/shared.ts';
import { siteEvents } from './event-data/site.ts';
import { sourceEvents } from './event-data/sources.ts';
import { wayInEvents } from './event-data/ways-in.ts';
import { webhookEvents } from './event-data/webhooks.ts';

/** The schema of the data of an event, by event type. */
export const eventData = {
  ...memberEvents,
  ...accessGroupEvents,
  ...administrationEvents,
  ...wayInEvents,
  ...sourceEvents,
  ...webhookEvents,
  ...siteEvents,
  ...loginEvents,
} as const satisfies Record<string, TSchema>;

export type EventType = keyof typeof eventData;

export type EventData = { [T in EventType]: Static<(typeof eventData)[T]> };

/** The types of events about a member. Their data is erased when the member is deleted. */
export type MemberEventType = {
  [T in EventType]: EventData[T] extends { memberId: string | null } | { member: { id: string } } ? T : never;
}[EventType];

export function isAboutMember(type: EventType): type is MemberEventType {
  const { properties } = eventData[type];
  return 'memberId' in properties || 'member' in properties;
}

/** What remains of the data of an event about a member after the member has been deleted. */
export const ErasedEventData = data('ErasedEventData', {
  memberId,
  erased: Type.Literal(true, { type: 'boolean', description: 'Always true.' }),
});
export type ErasedEventData = Static<typeof ErasedEventData>;
