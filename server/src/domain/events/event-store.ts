import type { EventType } from '@gatehouse/contract';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { ChangeContext } from '../../base/change-context.ts';
import type { Timestamp } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { EventRow, NewEvent } from './event.ts';
import { addActivity } from './site-count-store.ts';
import { activityOf, memberCountsOf } from './site-counts.ts';

const columns = [
  'site_id',
  'position',
  'id',
  'type',
  'occurred_at',
  'actor_type',
  'actor_id',
  'actor_name',
  'request_id',
  'ip_address',
  'member_id',
  'group_id',
  'data',
] as const;

export interface EventFilter {
  readonly type?: string;
  readonly memberId?: string;
  readonly groupId?: string;
  readonly actorType?: string;
  readonly actorId?: string;
  readonly since?: Timestamp;
  readonly until?: Timestamp;
  readonly requestId?: string;
}

/** Inserts the row of a new site from which event positions are assigned. */
export async function insertEventHead({ db, siteId }: SiteData<Transaction>, at: Timestamp): Promise<void> {
  await db.run(sql`INSERT INTO event_heads (site_id, position, oldest_at) VALUES (${siteId}, 0, ${at})`);
}

/** The last position in the feed of a site. Every change of the site has a higher one. */
export async function selectFeedPosition({ db, siteId }: SiteData): Promise<number | undefined> {
  const head = await db.get<{ position: number }>(
    sql`SELECT position FROM event_heads WHERE site_id = ${siteId}`,
  );
  return head?.position;
}

/** An event with the data it is stored with. */
export interface RecordedEvent {
  readonly siteId: string;
  readonly context: ChangeContext;
  readonly event: NewEvent;
}

/** Writes events of one site, at least one. Locks the feed until the commit. */
export async function insertEvents(
  view: SiteData<Transaction>,
  events: readonly RecordedEvent[],
): Promise<void> {
  const { db, siteId } = view;
  const { members, blocked, paid, verified } = memberCountsOf(events);
  const head = await db.get<{ position: number }>(sql`
    UPDATE event_heads
    SET position = position + ${events.length}, members = members + ${members},
        blocked = blocked + ${blocked}, paid = paid + ${paid}, verified = verified + ${verified}
    WHERE site_id = ${siteId} RETURNING position`);
  const first = head!.position - events.length + 1;
  const inserted = db.insert(
    'events',
    columns,
    events.map(({ event, context: { actor, requestId, ipAddress, at } }, index) => [
      siteId,
      first + index,
      newId(),
      event.type,
      at,
      actor.type,
      actor.id,
      actor.name,
      requestId,
      ipAddress,
      event.memberId ?? null,
      event.groupId ?? null,
      JSON.stringify(event.data),
    ]),
  );
  // Sent together on PostgreSQL.
  await Promise.all([inserted, addActivity(view, activityOf(events))]);
}

/** A range of positions in the feed; both ends are exclusive. */
export interface Span {
  readonly after: number;
  readonly before: number;
}

export async function selectEvents(
  { db, siteId }: SiteData,
  filter: EventFilter,
  span: Span,
  order: 'asc' | 'desc',
  limit: number,
): Promise<EventRow[]> {
  return db.all<EventRow>(sql`
    SELECT id, type, occurred_at, actor_type, actor_id, actor_name, request_id, ip_address, data FROM events
    WHERE site_id = ${siteId} ${matching(filter, span)}
    ORDER BY position ${raw(order)} LIMIT ${limit}`);
}

/** The properties of an event that determine its group. */
export interface EventMark {
  position: number;
  id: string;
  type: string;
  occurred_at: Timestamp;
  actor_type: string;
  actor_id: string | null;
  request_id: string | null;
}

/** Like `selectEvents`, newest first, without the content of the events. */
export function selectEventMarks(
  { db, siteId }: SiteData,
  filter: EventFilter,
  span: Span,
  limit: number,
): Promise<EventMark[]> {
  return db.all<EventMark>(sql`
    SELECT position, id, type, occurred_at, actor_type, actor_id, request_id FROM events
    WHERE site_id = ${siteId} ${matching(filter, span)}
    ORDER BY position DESC LIMIT ${limit}`);
}

/** The events at the given positions, at least one. */
export function selectEventsAt(
  { db, siteId }: SiteData,
  positions: readonly number[],
): Promise<(EventRow & { position: number })[]> {
  return db.all(sql`
    SELECT position, id, type, occurred_at, actor_type, actor_id, actor_name, request_id, ip_address, data
    FROM events WHERE site_id = ${siteId} AND position IN ${valueList(positions)}`);
}

/** The next events after a position. */
export function selectFeedEvents(
  { db, siteId }: SiteData,
  position: number,
  limit: number,
): Promise<(EventRow & { position: number; group_id: string | null })[]> {
  return db.all(sql`
    SELECT position, group_id, id, type, occurred_at, actor_type, actor_id, actor_name, request_id, ip_address, data
    FROM events WHERE site_id = ${siteId} AND position > ${position}
    ORDER BY position LIMIT ${limit}`);
}

export function selectEventAt(
  { db, siteId }: SiteData,
  position: number,
): Promise<{ id: string } | undefined> {
  return db.get(sql`SELECT id FROM events WHERE site_id = ${siteId} AND position = ${position}`);
}

function matching(filter: EventFilter, span: Span): Sql {
  const when = (value: string | undefined, condition: (value: string) => Sql) =>
    value === undefined ? empty : condition(value);
  return sql`AND position > ${span.after} AND position < ${span.before}
      ${when(filter.type, (type) => sql`AND type = ${type}`)}
      ${when(filter.memberId, (memberId) => sql`AND member_id = ${memberId}`)}
      ${when(filter.groupId, (groupId) => sql`AND group_id = ${groupId}`)}
      ${when(filter.actorType, (actorType) => sql`AND actor_type = ${actorType}`)}
      ${when(filter.actorId, (actorId) => sql`AND actor_id = ${actorId}`)}
      ${when(filter.since, (since) => sql`AND occurred_at >= ${since}`)}
      ${when(filter.until, (until) => sql`AND occurred_at < ${until}`)}
      ${when(filter.requestId, (requestId) => sql`AND request_id = ${requestId}`)}`;
}

/** The first and the last position of the feed; undefined when it is empty. */
export async function selectEnds({
  db,
  siteId,
}: SiteData): Promise<{ first: number; last: number } | undefined> {
  const [first, last] = await Promise.all(
    ['ASC', 'DESC'].map((direction) =>
      db.get<{ position: number }>(
        sql`SELECT position FROM events WHERE site_id = ${siteId} ORDER BY position ${raw(direction)} LIMIT 1`,
      ),
    ),
  );
  return first && last && { first: first.position, last: last.position };
}

/** The first event at or after a position. */
export function selectEventFrom(
  { db, siteId }: SiteData,
  position: number,
): Promise<{ position: number; occurred_at: Timestamp } | undefined> {
  return db.get(sql`
    SELECT position, occurred_at FROM events
    WHERE site_id = ${siteId} AND position >= ${position} ORDER BY position LIMIT 1`);
}

export async function selectEventPosition(
  { db, siteId }: SiteData,
  eventId: string,
): Promise<number | undefined> {
  const row = await db.get<{ position: number }>(
    sql`SELECT position FROM events WHERE site_id = ${siteId} AND id = ${eventId}`,
  );
  return row?.position;
}

/** For each member: how many events operators caused since a time, and when the first one happened. */
export function countDoneByOperators(
  { db, siteId }: SiteData<Transaction>,
  type: EventType,
  memberIds: readonly string[],
  since: Timestamp,
): Promise<{ member_id: string; count: number; first: Timestamp }[]> {
  return db.all(sql`
    SELECT member_id, count(*) AS count, min(occurred_at) AS first FROM events
    WHERE site_id = ${siteId} AND member_id IN ${valueList(memberIds)} AND type = ${type}
      AND actor_type = 'operator' AND occurred_at > ${since}
    GROUP BY member_id`);
}

/** A few sites whose oldest event is older than a time. */
export function selectSitesWithEventsBefore(
  db: Queries,
  time: Timestamp,
  limit: number,
): Promise<{ siteId: string }[]> {
  return db.all(
    sql`SELECT site_id AS "siteId" FROM event_heads WHERE oldest_at <= ${time} ORDER BY oldest_at LIMIT ${limit}`,
  );
}

/** Records the time of a site's oldest event; `at` if it has none. */
export async function updateOldestEvent({ db, siteId, now }: SiteView<Transaction>): Promise<void> {
  await db.run(sql`
    UPDATE event_heads SET oldest_at = COALESCE(
      (SELECT occurred_at FROM events WHERE site_id = ${siteId} ORDER BY position LIMIT 1), ${now})
    WHERE site_id = ${siteId}`);
}

/** Deletes events older than a time, but only among the oldest few. */
export function deleteEventsBefore(
  { db, siteId }: SiteData<Transaction>,
  time: Timestamp,
  limit: number,
): Promise<number> {
  return db.run(sql`
    DELETE FROM events WHERE site_id = ${siteId} AND occurred_at <= ${time} AND position IN (
      SELECT position FROM events WHERE site_id = ${siteId} ORDER BY position LIMIT ${limit})`);
}

/** Removes the email address and the name from the events of the invitations of an operator with this address. */
export async function eraseInvitations({ db, siteId }: SiteData<Transaction>, email: string): Promise<void> {
  const similar = await db.all<{ position: number; data: string }>(sql`
    SELECT position, data FROM events
    WHERE site_id = ${siteId} AND type = 'operator.invited' AND data LIKE ${`%"${email}"%`}`);
  for (const { position, data } of similar) {
    const { operator } = JSON.parse(data);
    if (operator.email !== email) continue; // "_" in a pattern matches any character
    const erased = JSON.stringify({ operator: { ...operator, email: null, displayName: null } });
    await db.run(
      sql`UPDATE events SET data = ${erased} WHERE site_id = ${siteId} AND position = ${position}`,
    );
  }
}

/** Erases the personal data of members from earlier events, as subject and as actor. */
export async function eraseMemberData(
  { db, siteId }: SiteData<Transaction>,
  memberIds: readonly string[],
): Promise<void> {
  const ids = join([...memberIds]);
  await db.run(sql`
    UPDATE events SET data = '{"memberId":"' || member_id || '","erased":true}'
    WHERE site_id = ${siteId} AND member_id IN (${ids})
      AND type IN ('member.created', 'member.updated', 'member.passkey.added')`);
  await db.run(sql`
    UPDATE events SET actor_name = NULL, ip_address = NULL
    WHERE site_id = ${siteId} AND member_id IN (${ids}) AND actor_type = 'member'
      AND (actor_name IS NOT NULL OR ip_address IS NOT NULL)`);
  await db.run(sql`
    UPDATE events SET actor_name = NULL, ip_address = NULL
    WHERE site_id = ${siteId} AND actor_id IN (${ids}) AND actor_type = 'member' AND ip_address IS NOT NULL`);
}
