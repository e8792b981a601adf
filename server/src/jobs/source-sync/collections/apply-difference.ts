import { setTimeout } from 'node:timers/promises';
import type { SourceCollection } from '../../../domain/sources/collections/collection.ts';
import type { GroupsByValue } from '../../../domain/sources/groups/source-groups.ts';
import { applyPeople } from '../../../domain/sources/people/apply-people.ts';
import type { Person } from '../../../domain/sources/people/collection-people.ts';
import type { SyncRun } from '../run/sync-run.ts';

/** The maximum number of people in one transaction, so that other writers wait no longer than for a bulk request. */
const peopleAtOnce = 500;
/** The maximum number of memberships in one transaction; it is a few seconds of work for a slow database. */
const membershipsAtOnce = 2_000;
/** A pause after a very slow step delays the stop of Gatehouse no longer than this. */
const maxPauseMilliseconds = 500;

/**
 * Applies a difference in steps, each a transaction. After each step the database is left to others for half as long as
 * the step took.
 * @throws {CollectionChanged}
 */
export async function applyDifference(
  { run, lease, results }: SyncRun,
  { collection, groups }: { readonly collection: SourceCollection; readonly groups: GroupsByValue },
  { changed, gone }: { readonly changed: Iterable<Person>; readonly gone: Iterable<string> },
): Promise<void> {
  for (const step of stepsOf(changed, gone, groups.size)) {
    const start = performance.now();
    const counts = await lease.changeCollection(collection, (change) =>
      applyPeople(change, { sourceId: run.sourceId, collection, groups, ...step }),
    );
    results.count(collection, counts);
    await setTimeout(Math.min((performance.now() - start) / 2, maxPauseMilliseconds));
  }
}

interface Step {
  readonly changed: readonly Person[];
  readonly gone: readonly string[];
}

function* stepsOf(changed: Iterable<Person>, gone: Iterable<string>, groups: number): Iterable<Step> {
  for (const part of inSteps(changed, peopleAtOnce, ({ values }) => values.length)) {
    yield { changed: part, gone: [] };
  }
  const goneAtOnce = Math.min(peopleAtOnce, Math.ceil(membershipsAtOnce / groups));
  for (const part of inSteps(gone, goneAtOnce)) yield { changed: [], gone: part };
}

/** Parts of at most `size` items, and of at most `membershipsAtOnce` memberships. */
export function* inSteps<T>(
  items: Iterable<T>,
  size: number,
  membershipsOf: (item: T) => number = () => 0,
): Iterable<T[]> {
  let step: T[] = [];
  let memberships = 0;
  for (const item of items) {
    memberships += membershipsOf(item);
    if (step.length > 0 && (step.length >= size || memberships > membershipsAtOnce)) {
      yield step;
      step = [];
      memberships = membershipsOf(item);
    }
    step.push(item);
  }
  if (step.length > 0) yield step;
}
