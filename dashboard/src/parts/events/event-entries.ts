import type { Event, EventGroup, EventType } from '@gatehouse/client';

/** A row of a list of events: one event, or all that one action made happen. */
export type EventEntry = SingleEvent | FoldedEvents;

export interface SingleEvent {
  readonly key: string;
  readonly event: Event;
  readonly folded?: undefined;
}

export interface FoldedEvents {
  readonly key: string;
  /** The one that stands for all: the oldest of the type that says what was done. */
  readonly event: Event;
  readonly folded: {
    /** How many there are of that type. */
    readonly count: number;
    /** How many there are of every type. */
    readonly total: number;
    /** When the first and the last of them happened; an action on many takes several requests. */
    readonly since: string;
    readonly until: string;
  };
}

/** What follows from something else never says what was done. */
const consequences: ReadonlySet<EventType> = new Set(['session.revoked', 'access-group.member.expired']);

/**
 * Makes rows of groups, newest first. Groups with the same request id are one action, whatever happened in between;
 * the row stands where the newest of them does. What holds no more than one event of each type is not folded.
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
