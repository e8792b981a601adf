import type { EventGroup, EventType } from '@gatehouse/contract';
import { maxEventsInGroup } from '@gatehouse/contract/limits';
import { type Page, toPage } from '../../base/page.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { toEvent } from './event.ts';
import {
  type EventFilter,
  type EventMark,
  type Span,
  selectEventMarks,
  selectEventsAt,
} from './event-store.ts';
import { type EventPageQuery, findFeedRange } from './events.ts';

/** The maximum number of events read in one query when groups have more than one event. */
const maxMarksAtOnce = 1_000;

/** A group as it was found in the feed, newest event first. */
interface Run {
  readonly key: string;
  id: string;
  count: number;
  readonly types: Map<string, { count: number; firstPosition: number }>;
}

/**
 * Lists the events of a site newest first, grouped by request. The events of a request are adjacent in the feed,
 * because they are recorded under its lock.
 * @throws {ApiError} `invalid_cursor`
 */
export async function listEventGroups(
  view: SiteView,
  query: EventPageQuery,
  retentionDays: number,
): Promise<Page<EventGroup>> {
  const { limit } = query;
  const { filter, span } = await findFeedRange(view, query, 'desc', retentionDays);
  const runs = await findRuns(view, filter, span, limit + 1);
  const toGroup = await groupsOf(view, runs.slice(0, limit));
  return toPage(runs, limit, toGroup);
}

/** Finds the newest groups. All except the last one are complete. */
async function findRuns(
  view: SiteData,
  filter: EventFilter,
  { after, before }: Span,
  wanted: number,
): Promise<Run[]> {
  const runs: Run[] = [];
  let end = before;
  for (let atOnce = wanted; ; atOnce = maxMarksAtOnce) {
    const marks = await selectEventMarks(view, filter, { after, before: end }, atOnce);
    for (const mark of marks) {
      if (joinRun(runs.at(-1), mark)) continue;
      runs.push(newRun(mark));
      if (runs.length === wanted) return runs;
    }
    if (marks.length < atOnce) return runs;
    end = marks.at(-1)!.position;
  }
}

/** Adds an event to the group of the preceding event, if it belongs there. */
function joinRun(run: Run | undefined, mark: EventMark): boolean {
  if (run?.key !== keyOf(mark) || run.count === maxEventsInGroup) return false;
  const { id, type, position } = mark;
  run.id = id;
  run.count += 1;
  run.types.set(type, { count: (run.types.get(type)?.count ?? 0) + 1, firstPosition: position });
  return true;
}

function newRun(mark: EventMark): Run {
  const { id, type, position } = mark;
  return { key: keyOf(mark), id, count: 1, types: new Map([[type, { count: 1, firstPosition: position }]]) };
}

/** Events without a request, such as those of a synchronization, are grouped by their time. */
function keyOf({ request_id, occurred_at, actor_type, actor_id }: EventMark): string {
  return JSON.stringify([request_id, occurred_at, actor_type, actor_id]);
}

/** Reads the first event of each type in each group. */
async function groupsOf(view: SiteData, runs: readonly Run[]): Promise<(run: Run) => EventGroup> {
  const positions = runs.flatMap(({ types }) =>
    [...types.values()].map(({ firstPosition }) => firstPosition),
  );
  const rows = positions.length === 0 ? [] : await selectEventsAt(view, positions);
  const events = new Map(rows.map((row) => [row.position, toEvent(row)]));
  return ({ id, count, types }) => ({
    id,
    count,
    types: [...types]
      .toSorted(([, one], [, other]) => one.firstPosition - other.firstPosition)
      .map(([type, { count, firstPosition }]) => ({
        type: type as EventType,
        count,
        first: events.get(firstPosition)!,
      })),
  });
}
