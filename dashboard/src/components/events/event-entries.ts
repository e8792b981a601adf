import type { Event, EventGroup, EventType } from '@gatehouse/client';

/** A row in a list of events: a single event, or all events caused by one action. */
export type EventEntry = SingleEvent | FoldedEvents;

export interface SingleEvent {
  readonly key: string;
  readonly event: Event;
  readonly folded?: undefined;
}

export interface FoldedEvents {
  readonly key: string;
  /** The representative event: the oldest one of the type that names the action. */
  readonly event: Event;
  readonly folded: {
    /** The number of events of that type. */
    readonly count: number;
    /** The number of events of all types. */
    readonly total: number;
    /** When the first and the last event happened. A bulk action takes several requests. */
    readonly since: string;
    readonly until: string;
  };
}

/** Types that only follow from another event and never name the action. */
const consequences: ReadonlySet<EventType> = new Set([
  'session.revoked',
  'session.evicted',
  'access-group.member.expired',
]);

/**
 * Turns groups of events into rows, newest first. Groups with the same request id are one action, even with other
 * events in between; the row is placed where its newest group is. A group with at most one event of each type is not
 * folded.
 */
export function toEntries(groups: readonly EventGroup[]): EventEntry[] {
  const actions = new Map<string, [EventGroup, ...EventGroup[]]>();
  for (const group of groups) {
    const key = keyOf(group);
    const newer = actions.get(key);
    if (newer) newer.push(group);
    else actions.set(key, [group]);
  }
  return [...actions.values()].flatMap(entriesOf);
}

function keyOf({ types }: EventGroup): string {
  const { requestId, occurredAt, actor } = types[0]!.first;
  return requestId ?? `${occurredAt} ${actor.type} ${actor.id}`;
}

function entriesOf(groups: readonly [EventGroup, ...EventGroup[]]): EventEntry[] {
  const counts = new Map<EventType, number>();
  for (const { types } of groups) {
    for (const { type, count } of types) counts.set(type, (counts.get(type) ?? 0) + count);
  }
  if ([...counts.values()].every((count) => count === 1)) return groups.flatMap(singles);
  const { types } = groups.at(-1)!;
  const { first: event } = types.find(({ type }) => !consequences.has(type)) ?? types[0]!;
  return [
    {
      key: groups[0].id,
      event,
      folded: {
        count: counts.get(event.type)!,
        total: groups.reduce((sum, { count }) => sum + count, 0),
        since: types[0]!.first.occurredAt,
        until: groups[0].types[0]!.first.occurredAt,
      },
    },
  ];
}

function singles({ types }: EventGroup): SingleEvent[] {
  return types.map(({ first }) => ({ key: first.id, event: first })).toReversed();
}
