import type { RunError, SourceType } from '@gatehouse/contract';
import sql, { empty, type Sql } from 'sql-template-tag';
import { millisecondsPerDay, type Timestamp } from '../../../base/clock.ts';
import { idsOf } from '../../../base/ids.ts';
import type { Queries, Transaction } from '../../../storage/database.ts';
import type { SiteData, SiteView } from '../../../storage/site-view.ts';
import { booleanColumn, Columns, jsonColumn, TableColumns } from '../../../storage/sql/columns.ts';
import { type ExpiredRow, expiryOf } from '../../../storage/sql/expiring-rows.ts';
import { allValues, firstValue } from '../../../storage/sql/results.ts';
import { valueList } from '../../../storage/sql/value-list.ts';
import {
  type ClaimedRun,
  joinPeople,
  type SplitResults,
  type StoredResult,
  type StoredRun,
  splitPeople,
} from './run.ts';
import type { RunOutcome } from './run-outcome.ts';

/** A run as it is stored. */
type RunRow = Omit<StoredRun, 'collections'> & SplitResults;

const columns = new TableColumns<RunRow>('source_runs', {
  id: 'id',
  sourceId: 'source_id',
  trigger: 'trigger',
  status: 'status',
  dryRun: booleanColumn('dry_run'),
  removalsConfirmed: booleanColumn('removals_confirmed'),
  confirmedRunId: 'confirmed_run_id',
  list: jsonColumn('list'),
  dueAt: 'due_at',
  failures: 'failures',
  claims: 'claims',
  isRetry: booleanColumn('is_retry'),
  error: jsonColumn('error'),
  results: jsonColumn('result'),
  samples: jsonColumn('samples'),
  skipped: jsonColumn('skipped'),
  groupsToDelete: jsonColumn('groups_to_delete'),
  createdAt: 'created_at',
  startedAt: 'started_at',
  endedAt: 'ended_at',
});

function toRun({ results, samples, skipped, ...run }: RunRow): StoredRun {
  return { ...run, collections: joinPeople({ results, samples, skipped }) };
}

export async function insertRun(
  view: SiteData<Transaction>,
  { collections, ...run }: StoredRun,
): Promise<void> {
  await columns.insert(view, [{ ...run, ...splitPeople(collections) }]);
}

export async function selectRun(
  view: SiteData,
  sourceId: string,
  runId: string,
): Promise<StoredRun | undefined> {
  const row = await columns.first(view, sql`AND source_id = ${sourceId} AND id = ${runId}`);
  return row && toRun(row);
}

/** The runs of a source, newest first. */
export async function selectRuns(
  view: SiteData,
  sourceId: string,
  after: string | undefined,
  limit: number,
): Promise<StoredRun[]> {
  const rows = await columns.page(view, after, limit, sql`AND source_id = ${sourceId}`);
  return rows.map(toRun);
}

/** The runs of a source that have not ended, in the order in which they are due. */
export async function selectOpenRuns(view: SiteData, sourceId: string): Promise<StoredRun[]> {
  const rows = await columns.find(
    view,
    sql`AND source_id = ${sourceId} AND status IN ('waiting', 'running')
      ORDER BY due_at, id`,
  );
  return rows.map(toRun);
}

/** The sites with runs that are due: waiting ones, and running ones whose process is gone. */
export function selectSitesWithDueRuns(db: Queries, now: Timestamp): Promise<string[]> {
  return allValues(db, sql`SELECT DISTINCT site_id FROM source_runs WHERE due_at <= ${now}`);
}

/**
 * Since when the first of the due runs is due, over all sites. One that is wanted immediately is due since its request;
 * one that waits for another run of its source is not due yet.
 */
export async function selectFirstDueTime(db: Queries, now: Timestamp): Promise<Timestamp | undefined> {
  // Materialized, because SQLite would otherwise look through all runs of a site for each that is due.
  const first = await firstValue<Timestamp | null>(
    db,
    sql`WITH running AS MATERIALIZED (
      SELECT site_id, source_id FROM source_runs WHERE status = 'running' AND due_at > ${now}
    )
    SELECT min(CASE WHEN due.due_at > due.created_at THEN due.due_at ELSE due.created_at END) AS first_due_at
    FROM source_runs due
    LEFT JOIN running other ON other.site_id = due.site_id AND other.source_id = due.source_id
    WHERE due.due_at <= ${now} AND other.site_id IS NULL`,
  );
  return first ?? undefined;
}

/** When the next run of a site will be due that is not yet. */
export function selectNextDueTime({ db, siteId, now }: SiteView): Promise<Timestamp | undefined> {
  return firstValue(
    db,
    sql`SELECT due_at FROM source_runs WHERE site_id = ${siteId} AND due_at > ${now} ORDER BY due_at LIMIT 1`,
  );
}

const runsLookedAt = 20;

/**
 * Runs of a site that are due, oldest first, except those of sources that a process is synchronizing.
 * @param ofSource the only source whose runs are wanted
 */
export async function selectDueRuns({ db, siteId, now }: SiteView, ofSource?: string): Promise<StoredRun[]> {
  const rows = await columns.all(
    db,
    sql`SELECT ${columns.list} FROM source_runs due
    WHERE due.site_id = ${siteId} AND due_at <= ${now}
      ${ofSource === undefined ? empty : sql`AND source_id = ${ofSource}`}
      AND NOT EXISTS (
        SELECT 1 FROM source_runs other
        WHERE other.site_id = ${siteId} AND other.source_id = due.source_id AND other.status = 'running'
          AND other.due_at > ${now})
    ORDER BY due_at, id LIMIT ${runsLookedAt}`,
  );
  return rows.map(toRun);
}

interface RunStart {
  readonly now: Timestamp;
  readonly leaseEnd: Timestamp;
  /** The number of failed runs before it. */
  readonly failures: number;
}

/** Gives a run to a process until the lease ends. */
export async function startRun(
  tx: Transaction,
  { siteId, run, holder }: ClaimedRun,
  { now, leaseEnd, failures }: RunStart,
): Promise<void> {
  await tx.run(sql`
    UPDATE source_runs
    SET status = 'running', holder = ${holder}, due_at = ${leaseEnd}, failures = ${failures}, claims = claims + 1,
        started_at = COALESCE(started_at, ${now})
    WHERE site_id = ${siteId} AND id = ${run.id}`);
}

/**
 * Renews the lease and stores the numbers so far; the people whom the results name are stored at the end. Returns false
 * when another process has the run.
 */
export async function updateRunProgress(
  tx: Transaction,
  claimed: ClaimedRun,
  leaseEnd: Timestamp,
  results: readonly StoredResult[],
): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE source_runs SET due_at = ${leaseEnd}, result = ${JSON.stringify(splitPeople(results).results)}
    WHERE site_id = ${claimed.siteId} AND ${isHeld(claimed)}`);
  return changed > 0;
}

/** The condition that no other process has the run. */
function isHeld({ run, holder }: ClaimedRun): Sql {
  return sql`id = ${run.id} AND holder = ${holder} AND status = 'running'`;
}

function resultOf(collections: StoredRun['collections']): Sql {
  const { results, samples, skipped } = splitPeople(collections);
  return sql`
    result = ${JSON.stringify(results)}, samples = ${samples ? JSON.stringify(samples) : null},
    skipped = ${skipped ? JSON.stringify(skipped) : null}`;
}

export interface EndedRun {
  readonly outcome: RunOutcome;
  readonly collections: StoredRun['collections'];
  readonly groupsToDelete: StoredRun['groupsToDelete'];
}

/** Ends a run, unless another process has it. */
export async function endRun(
  tx: Transaction,
  claimed: ClaimedRun,
  { outcome: { status, error }, collections, groupsToDelete }: EndedRun,
  at: Timestamp,
): Promise<void> {
  await tx.run(sql`
    UPDATE source_runs
    SET status = ${status}, error = ${error && JSON.stringify(error)}, ${resultOf(collections)},
        groups_to_delete = ${JSON.stringify(groupsToDelete)}, holder = NULL, due_at = NULL, ended_at = ${at}
    WHERE site_id = ${claimed.siteId} AND ${isHeld(claimed)}`);
}

/** Releases a run, so that any process can claim it from a time on. */
export async function releaseRun(tx: Transaction, claimed: ClaimedRun, dueAt: Timestamp): Promise<void> {
  await tx.run(sql`
    UPDATE source_runs SET due_at = ${dueAt}, holder = NULL, claims = 0
    WHERE site_id = ${claimed.siteId} AND ${isHeld(claimed)}`);
}

/** Deletes the runs of a source, except one, that wait for their time, and no one has requested. */
export async function deleteWaitingRuns(
  { db, siteId }: SiteData<Transaction>,
  sourceId: string,
  { triggers, except }: { readonly triggers: readonly ('schedule' | 'change')[]; readonly except?: string },
): Promise<void> {
  await db.run(sql`
    DELETE FROM source_runs
    WHERE site_id = ${siteId} AND source_id = ${sourceId} AND status = 'waiting' AND trigger IN ${valueList(triggers)}
      ${except === undefined ? empty : sql`AND id <> ${except}`}`);
}

/** The last synchronization of a source. */
export interface EndedSync {
  readonly id: string;
  readonly name: string;
  readonly type: SourceType;
  readonly status: RunOutcome['status'];
  readonly error: RunError | null;
  readonly results: readonly Pick<StoredResult, 'error' | 'withheld'>[];
  readonly failures: number;
}

const endedSync = new Columns<EndedSync>({
  id: 's.id',
  name: 's.name',
  type: 's.type',
  status: 'r.status',
  error: jsonColumn('r.error'),
  results: jsonColumn('r.result'),
  failures: 'r.failures',
});

/** Of the sources that are in use, those whose last synchronization did not succeed, newest first. */
export function selectUnsuccessfulSyncs({ db, siteId }: SiteData, limit: number): Promise<EndedSync[]> {
  return endedSync.all(
    db,
    sql`SELECT ${endedSync.list} FROM sources s JOIN source_runs r ON r.site_id = ${siteId} AND r.id = (
        SELECT last.id FROM source_runs last
        WHERE last.site_id = ${siteId} AND last.source_id = s.id AND last.dry_run = ${false}
          AND last.status NOT IN ('waiting', 'running')
        ORDER BY last.id DESC LIMIT 1)
      WHERE s.site_id = ${siteId} AND (s.enabled = ${true} OR s.type = 'program')
        AND r.status IN ('confirmation_required', 'failed')
      ORDER BY s.id DESC LIMIT ${limit}`,
  );
}

const runRetentionDays = 90;
const namedPeopleDays = 7;

/** Runs that are old enough to be purged. */
export const { find: findOldRuns, purge: purgeRuns } = expiryOf({
  table: 'source_runs',
  time: 'ended_at',
  retentionMilliseconds: runRetentionDays * millisecondsPerDay,
});

/** Runs that have named people for long enough. */
export const { find: findRunsWithOldPeople } = expiryOf({
  table: 'source_runs',
  time: 'ended_at',
  retentionMilliseconds: namedPeopleDays * millisecondsPerDay,
  condition: '(samples IS NOT NULL OR skipped IS NOT NULL) AND ',
});

/** Erases the people whom runs name. */
export async function purgePeopleOfRuns(
  { db, siteId }: SiteData<Transaction>,
  runs: readonly ExpiredRow[],
): Promise<void> {
  await db.run(sql`
    UPDATE source_runs SET samples = NULL, skipped = NULL
    WHERE site_id = ${siteId} AND id IN ${valueList(idsOf(runs))}`);
}
