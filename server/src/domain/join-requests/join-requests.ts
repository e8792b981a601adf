import type { JoinRequestStatus } from '@gatehouse/contract';
import { maxPendingJoinRequests } from '@gatehouse/contract/limits';
import { idsOf, newId } from '../../base/ids.ts';
import { type Page, type PageQuery, pageOf } from '../../base/page.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import type { ExpiredRow } from '../../storage/sql/expiring-rows.ts';
import { acquireSiteLock } from '../../storage/sql/row-lock.ts';
import { addTombstones, findTombstone } from '../cursors/cursor-tombstones.ts';
import type { Change } from '../events/change.ts';
import {
  endOfJoinRequest,
  type JoinRequestDraft,
  joinRequestNotFound,
  type StoredJoinRequest,
  statusOf,
} from './join-request.ts';
import {
  countPending,
  deleteJoinRequestRows,
  expireRows,
  insertJoinRequest,
  purgeRows,
  selectJoinRequest,
  selectJoinRequests,
  selectJoinRequestsOf,
} from './join-request-store.ts';

export {
  claimJoinRequests,
  countPending as countPendingJoinRequests,
  expireRows as expireJoinRequests,
  findOldRows as findOldJoinRequests,
  findUndecided as findUndecidedJoinRequests,
  linkMembers,
  markAnnounced,
  selectJoinRequestsById as findJoinRequestsById,
  selectSitesToAnnounce as findSitesToAnnounce,
  wereNotifiedSince,
} from './join-request-store.ts';

const listName = 'join-requests';

/** `queue_full`: too many requests of the site wait for a decision. */
export type JoinRequestOutcome = 'requested' | 'queue_full';

/**
 * Stores the request of a person whose email address is verified. A person who has one that waits, or was declined in the last
 * days, gets the same result, and nothing is stored.
 */
export async function requestToJoin(change: Change, draft: JoinRequestDraft): Promise<JoinRequestOutcome> {
  const { now } = change;
  await lockJoinRequests(change);
  const earlier = await selectJoinRequestsOf(change, draft.email);
  if (earlier.some((request) => standsInTheWay(request, change))) return 'requested';
  await expireRows(change, earlier);
  if ((await countPending(change)) >= maxPendingJoinRequests) return 'queue_full';
  const request: StoredJoinRequest = {
    ...draft,
    id: newId(),
    status: 'pending',
    createdAt: now,
    endsAt: endOfJoinRequest(now),
    decidedAt: null,
    decidedBy: null,
  };
  if (await insertJoinRequest(change, request)) recordCreated(change, request);
  return 'requested';
}

/** Locks the queue of a site until the transaction ends. Taken after the rows of members, links and groups. */
export function lockJoinRequests(view: SiteData<Transaction>): Promise<void> {
  return acquireSiteLock(view, 'join_requests');
}

function standsInTheWay(request: StoredJoinRequest, { now }: SiteView): boolean {
  const status = statusOf(request, now);
  return status === 'pending' || (status === 'declined' && request.endsAt > now);
}

/** The event about a person who is not a member does not have the IP address: nothing would erase it. */
function recordCreated(change: Change, { id: joinRequestId, memberId, path }: StoredJoinRequest): void {
  const data = { joinRequestId, memberId, path };
  if (memberId === null) change.bySystem().record({ type: 'join-request.created', data });
  else change.record({ type: 'join-request.created', memberId, data });
}

/** @throws {ApiError} `join_request_not_found` */
export async function findJoinRequest(view: SiteData, id: string): Promise<StoredJoinRequest> {
  const request = await selectJoinRequest(view, id);
  if (!request) throw joinRequestNotFound();
  return request;
}

export interface JoinRequestQuery extends PageQuery {
  readonly status?: JoinRequestStatus;
}

/** Lists requests, newest first. @throws {ApiError} `invalid_cursor` */
export async function listJoinRequests(
  view: SiteView,
  { status, after, limit }: JoinRequestQuery,
): Promise<Page<StoredJoinRequest>> {
  if (after !== undefined && !(await selectJoinRequest(view, after)))
    await findTombstone(view, listName, after);
  return pageOf(await selectJoinRequests(view, status, after, limit + 1), limit);
}

/** Deletes the requests of members who are deleted. */
export async function deleteJoinRequestsOf(
  change: Change,
  members: readonly { readonly id: string; readonly email: string }[],
): Promise<void> {
  const emails = members.map(({ email }) => email);
  await leaveList(change, await deleteJoinRequestRows(change, emails, idsOf(members)));
}

export async function purgeJoinRequests(change: Change, rows: readonly ExpiredRow[]): Promise<void> {
  await purgeRows(change, rows);
  await leaveList(change, idsOf(rows));
}

function leaveList(view: SiteView<Transaction>, ids: readonly string[]): Promise<void> {
  return addTombstones(
    view,
    ids.map((id) => ({ list: listName, id })),
  );
}
