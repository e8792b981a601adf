import sql, { type Sql } from 'sql-template-tag';
import type { Timestamp } from '../../../base/clock.ts';
import type { Queries, Transaction } from '../../../storage/database.ts';
import type { SiteData, SiteView } from '../../../storage/site-view.ts';
import { allValues, firstValue, hasRow } from '../../../storage/sql/results.ts';
import { skipLocked } from '../../../storage/sql/row-lock.ts';
import { valueList } from '../../../storage/sql/value-list.ts';
import type { Replay, StoredWebhook } from '../webhook.ts';
import { webhookColumns } from '../webhook-store.ts';

/** Whether any site has a webhook. */
export function hasWebhooks(db: Queries): Promise<boolean> {
  return hasRow(db, sql`SELECT site_id FROM webhooks LIMIT 1`);
}

/** The sites with webhooks for which something is due until a time and no one sends now, over all sites. */
export function selectSitesWithDueWebhooks(db: Queries, now: Timestamp, until: Timestamp): Promise<string[]> {
  return allValues(
    db,
    sql`
    SELECT DISTINCT w.site_id FROM webhooks w JOIN event_heads h ON h.site_id = w.site_id
    WHERE w.enabled AND (w.claimed_until IS NULL OR w.claimed_until <= ${now})
      AND (w.due_at <= ${until} OR (w.follows_feed AND w.position < h.position))`,
  );
}

/** The webhooks of a site for which something is due and no one sends. */
function dueIn(siteId: string, now: Timestamp) {
  return sql`
    site_id = ${siteId} AND enabled AND (claimed_until IS NULL OR claimed_until <= ${now})
    AND (due_at <= ${now} OR (follows_feed AND
      position < (SELECT position FROM event_heads WHERE site_id = ${siteId})))`;
}

export function hasDueWebhook({ db, siteId, now }: SiteView): Promise<boolean> {
  return hasRow(db, sql`SELECT id FROM webhooks WHERE ${dueIn(siteId, now)} LIMIT 1`);
}

/** When something will be due later; undefined if nothing is planned. */
export async function findNextWebhookTime({ db, siteId, now }: SiteView): Promise<Timestamp | undefined> {
  const next = await firstValue<Timestamp | null>(
    db,
    sql`
    SELECT min(due_at) AS due_at FROM webhooks WHERE site_id = ${siteId} AND enabled AND due_at > ${now}`,
  );
  return next ?? undefined;
}

/** Who claims webhooks, when, and until when. */
export interface NewClaim {
  readonly holder: string;
  readonly now: Timestamp;
  readonly until: Timestamp;
}

/** Claims webhooks. No other holder sends to them meanwhile. */
export async function claimDueWebhooks(
  { db, siteId }: SiteData<Transaction>,
  { holder, now, until }: NewClaim,
  limit: number,
): Promise<StoredWebhook[]> {
  const due = await allValues<string>(
    db,
    sql`SELECT id FROM webhooks WHERE ${dueIn(siteId, now)} ORDER BY id LIMIT ${limit} ${skipLocked(db)}`,
  );
  if (due.length === 0) return [];
  return webhookColumns.all(
    db,
    sql`
    UPDATE webhooks SET holder = ${holder}, claimed_until = ${until}
    WHERE site_id = ${siteId} AND id IN ${valueList(due)} RETURNING ${webhookColumns.list}`,
  );
}

/** What is stored of a webhook while its holder sends to it. */
export interface ClaimProgress {
  readonly holder: string;
  readonly position: number;
  /** Done if its position is its end; undefined to leave the replay as it is. */
  readonly replay: Replay | undefined;
  /** Of the settings that were used. With others, failures do not count any more. */
  readonly updatedAt: Timestamp;
  readonly failures: number;
  readonly failingSince: Timestamp | null;
  readonly claimedUntil: Timestamp;
}

/**
 * Stores the progress and keeps the claim. Returns the webhook with the present settings, locked, or undefined if the
 * holder has lost its claim or the webhook was deleted.
 */
export function saveProgress(
  { db, siteId }: SiteData<Transaction>,
  webhookId: string,
  progress: ClaimProgress,
): Promise<StoredWebhook | undefined> {
  const { holder, position, replay, updatedAt, failures, failingSince, claimedUntil } = progress;
  // A webhook that was enabled again meanwhile begins later, and without the replay of before.
  return webhookColumns.get(
    db,
    sql`
    UPDATE webhooks
    SET position = CASE WHEN position > ${position} THEN position ELSE ${position} END,
        replay = ${replay === undefined ? sql`replay` : replayAfter(replay)},
        failures = CASE WHEN updated_at = ${updatedAt} THEN ${failures} ELSE failures END,
        failing_since = CASE WHEN updated_at = ${updatedAt} THEN ${failingSince} ELSE failing_since END,
        claimed_until = ${claimedUntil}
    WHERE site_id = ${siteId} AND id = ${webhookId} AND holder = ${holder} RETURNING ${webhookColumns.list}`,
  );
}

/** The replay after its progress, if it is still the one that is stored. */
function replayAfter(replay: Replay): Sql {
  const rest = replay.position >= replay.end ? null : JSON.stringify(replay);
  return sql`CASE WHEN replay LIKE ${`%"id":"${replay.id}"%`} THEN ${rest} ELSE replay END`;
}

/** When something is to be sent to a webhook again. */
export interface NextDue {
  /** Null if nothing waits for a time. */
  readonly dueAt: Timestamp | null;
  /** Whether events after the position are due as they happen. */
  readonly followsFeed: boolean;
}

/** Ends a claim. The webhook must be locked. */
export async function releaseWebhook(
  { db, siteId }: SiteData<Transaction>,
  webhookId: string,
  { dueAt, followsFeed }: NextDue,
): Promise<void> {
  await db.run(sql`
    UPDATE webhooks
    SET holder = NULL, claimed_until = NULL, due_at = ${dueAt}, follows_feed = ${followsFeed}
    WHERE site_id = ${siteId} AND id = ${webhookId}`);
}
