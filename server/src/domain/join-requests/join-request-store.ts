import type { Actor, JoinRequestStatus } from '@gatehouse/contract';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import { idsOf } from '../../base/ids.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { inBatches } from '../../storage/sql/batches.ts';
import { jsonColumn, TableColumns } from '../../storage/sql/columns.ts';
import { type ExpiredRow, expiryOf } from '../../storage/sql/expiring-rows.ts';
import { allValues, countOf, hasRow } from '../../storage/sql/results.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import { endOfJoinRequest, type StoredJoinRequest } from './join-request.ts';

const columns = new TableColumns<StoredJoinRequest>('join_requests', {
  id: 'id',
  email: 'email',
  memberId: 'member_id',
  invitationId: 'invitation_id',
  displayName: 'display_name',
  message: 'message',
  path: 'path',
  language: 'language',
  status: 'status',
  createdAt: 'created_at',
  endsAt: 'ends_at',
  decidedAt: 'decided_at',
  decidedBy: jsonColumn('decided_by'),
});

/** Returns false when the address has a pending request. */
export async function insertJoinRequest(
  view: SiteData<Transaction>,
  request: StoredJoinRequest,
): Promise<boolean> {
  const inserted = await columns.insert(view, [request], {
    ending: "ON CONFLICT (site_id, email) WHERE status = 'pending' DO NOTHING RETURNING id",
  });
  return inserted.length > 0;
}

export function selectJoinRequest(view: SiteData, id: string): Promise<StoredJoinRequest | undefined> {
  return columns.first(view, sql`AND id = ${id}`);
}

export function selectJoinRequestsById(view: SiteData, ids: readonly string[]): Promise<StoredJoinRequest[]> {
  return inBatches(ids, (batch) => columns.find(view, sql`AND id IN ${valueList(batch)}`));
}

/** The requests of an address, whatever their status: a few. */
export function selectJoinRequestsOf(view: SiteData, email: string): Promise<StoredJoinRequest[]> {
  return columns.find(view, sql`AND email = ${email}`);
}

/** A page of requests, newest first. */
export function selectJoinRequests(
  view: SiteView,
  status: JoinRequestStatus | undefined,
  after: string | undefined,
  limit: number,
): Promise<StoredJoinRequest[]> {
  return columns.page(view, after, limit, status === undefined ? empty : hasStatus(status, view.now));
}

/** As `statusOf`. */
function hasStatus(status: JoinRequestStatus, now: Timestamp): Sql {
  if (status === 'pending') return sql`AND status = 'pending' AND ends_at > ${now}`;
  if (status !== 'expired') return sql`AND status = ${status}`;
  return sql`AND status IN ('expired', 'pending') AND (status = 'expired' OR ends_at <= ${now})`;
}

export function countPending({ db, siteId, now }: SiteView): Promise<number> {
  return countOf(
    db,
    sql`SELECT count(*) AS count FROM join_requests
      WHERE site_id = ${siteId} AND status = 'pending' AND ends_at > ${now}`,
  );
}

/** Decides those of the requests that still wait. Returns their ids. */
export function claimJoinRequests(
  { db, siteId, now }: SiteView<Transaction>,
  ids: readonly string[],
  status: 'approved' | 'declined',
  decidedBy: Actor,
): Promise<string[]> {
  return inBatches(ids, (batch) =>
    allValues(
      db,
      sql`UPDATE join_requests
        SET status = ${status}, ends_at = ${endOfJoinRequest(now)}, decided_at = ${now},
          decided_by = ${JSON.stringify(decidedBy)}
        WHERE site_id = ${siteId} AND id IN ${valueList(batch)} AND status = 'pending' AND ends_at > ${now}
        RETURNING id`,
    ),
  );
}

/** Stores who has become a member with the approval of a request. */
export async function linkMembers(
  { db, siteId }: SiteData<Transaction>,
  ids: readonly string[],
): Promise<void> {
  await inBatches(ids, async (batch) => {
    await db.run(sql`
      UPDATE join_requests SET member_id = (
        SELECT m.id FROM members m WHERE m.site_id = ${siteId} AND m.email = join_requests.email)
      WHERE site_id = ${siteId} AND id IN ${valueList(batch)} AND member_id IS NULL`);
    return [];
  });
}

/** Deletes the requests of some members, also those they made before. Returns their ids. */
export function deleteJoinRequestRows(
  { db, siteId }: SiteData<Transaction>,
  emails: readonly string[],
  memberIds: readonly string[],
): Promise<string[]> {
  return allValues(
    db,
    sql`DELETE FROM join_requests
      WHERE site_id = ${siteId} AND (email IN ${valueList(emails)} OR member_id IN ${valueList(memberIds)})
      RETURNING id`,
  );
}

const pendingRows = expiryOf({
  table: 'join_requests',
  time: 'ends_at',
  condition: "status = 'pending' AND ",
});

/** A few pending requests that nobody has decided in time, over all sites. */
export const findUndecided = pendingRows.find;

/** Stores that those of the requests have expired that still wait. */
export async function expireRows(
  { db, siteId, now }: SiteView<Transaction>,
  rows: readonly Pick<ExpiredRow, 'id'>[],
): Promise<void> {
  await db.run(sql`
    UPDATE join_requests SET status = 'expired', ends_at = ${endOfJoinRequest(now)}
    WHERE site_id = ${siteId} AND id IN ${valueList(idsOf(rows))} AND status = 'pending' AND ends_at <= ${now}`);
}

/** Requests that were decided or have expired, and are no longer shown. */
export const { find: findOldRows, purge: purgeRows } = expiryOf({
  table: 'join_requests',
  time: 'ends_at',
  condition: "status <> 'pending' AND ",
});

/** The sites with pending requests of which operators have not been told. */
export function selectSitesToAnnounce(db: Queries): Promise<string[]> {
  return allValues(
    db,
    sql`SELECT DISTINCT site_id FROM join_requests WHERE announced_at IS NULL AND status = 'pending'`,
  );
}

/** Whether operators have been told of a request since a time. */
export function wereNotifiedSince({ db, siteId }: SiteData, time: Timestamp): Promise<boolean> {
  return hasRow(
    db,
    sql`SELECT id FROM join_requests WHERE site_id = ${siteId} AND announced_at > ${time} LIMIT 1`,
  );
}

/** Stores that operators are told of every pending request. Returns of how many they were not. */
export function markAnnounced({ db, siteId, now }: SiteView<Transaction>): Promise<number> {
  return db.run(sql`
    UPDATE join_requests SET announced_at = ${now}
    WHERE site_id = ${siteId} AND announced_at IS NULL AND status = 'pending'`);
}
