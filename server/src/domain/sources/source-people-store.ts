import sql from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import { inBatches } from '../../storage/batches.ts';
import { type Queries, type Transaction, toBoolean } from '../../storage/database.ts';
import { valueList } from '../../storage/value-list.ts';
import type { Person } from './collection-people.ts';

/** A person as of the last synchronization. */
export interface StoredPerson extends Person {
  /** Whether the member was created for this person. */
  readonly createdMember: boolean;
}

interface PersonRow {
  email: string;
  group_values: string;
  display_name: string | null;
  paid: boolean | number | null;
  created_member: boolean | number;
}

const columns = sql`email, group_values, display_name, paid, created_member`;
const rowsPerPage = 5_000;

/** Everybody in a collection as of the last synchronization, by email address. */
export async function findStoredPeople(
  db: Queries,
  siteId: string,
  sourceId: string,
  collection: string,
): Promise<Map<string, StoredPerson>> {
  const people = new Map<string, StoredPerson>();
  let after = '';
  for (;;) {
    const rows = await db.all<PersonRow>(sql`
      SELECT ${columns} FROM source_people
      WHERE site_id = ${siteId} AND source_id = ${sourceId} AND collection = ${collection} AND email > ${after}
      ORDER BY email LIMIT ${rowsPerPage}`);
    for (const row of rows) people.set(row.email, toPerson(row));
    if (rows.length < rowsPerPage) return people;
    after = rows.at(-1)!.email;
  }
}

/** Some people of a collection as of the last synchronization, by email address. */
export async function selectPeople(
  db: Queries,
  siteId: string,
  sourceId: string,
  collection: string,
  emails: readonly string[],
): Promise<Map<string, StoredPerson>> {
  const rows = await inBatches(emails, (batch) =>
    db.all<PersonRow>(sql`
      SELECT ${columns} FROM source_people
      WHERE site_id = ${siteId} AND source_id = ${sourceId} AND collection = ${collection}
        AND email IN ${valueList(batch)}`),
  );
  return new Map(rows.map((row) => [row.email, toPerson(row)]));
}

/** A person as of the last synchronization of any collection of any source of the site. */
export interface PersonElsewhere extends StoredPerson {
  readonly sourceId: string;
  readonly collection: string;
}

/** Some people in the other collections of the source, and in other sources, by email address. */
export async function selectPeopleElsewhere(
  db: Queries,
  siteId: string,
  sourceId: string,
  collection: string,
  emails: readonly string[],
): Promise<Map<string, PersonElsewhere[]>> {
  const rows = await inBatches(emails, (batch) =>
    db.all<PersonRow & { source_id: string; collection: string }>(sql`
      SELECT source_id, collection, ${columns} FROM source_people
      WHERE site_id = ${siteId} AND email IN ${valueList(batch)}
        AND NOT (source_id = ${sourceId} AND collection = ${collection})`),
  );
  const people = rows.map((row) => ({
    ...toPerson(row),
    sourceId: row.source_id,
    collection: row.collection,
  }));
  return Map.groupBy(people, ({ email }) => email);
}

export async function upsertPeople(
  tx: Transaction,
  siteId: string,
  sourceId: string,
  collection: string,
  people: readonly StoredPerson[],
): Promise<void> {
  await tx.insert(
    'source_people',
    ['site_id', 'source_id', 'collection', 'email', 'group_values', 'display_name', 'paid', 'created_member'],
    people.map(({ email, values, displayName, paid, createdMember }) => [
      siteId,
      sourceId,
      collection,
      email,
      JSON.stringify(values),
      displayName === undefined ? null : JSON.stringify(displayName),
      paid ?? null,
      createdMember,
    ]),
    `ON CONFLICT (site_id, source_id, collection, email) DO UPDATE SET
       group_values = excluded.group_values, display_name = excluded.display_name, paid = excluded.paid,
       created_member = excluded.created_member`,
  );
}

/** Deletes people of a collection. Returns them. */
export async function deletePeople(
  tx: Transaction,
  siteId: string,
  sourceId: string,
  collection: string,
  emails: readonly string[],
): Promise<StoredPerson[]> {
  const rows = await inBatches(emails, (batch) =>
    tx.all<PersonRow>(sql`
      DELETE FROM source_people
      WHERE site_id = ${siteId} AND source_id = ${sourceId} AND collection = ${collection}
        AND email IN ${valueList(batch)}
      RETURNING ${columns}`),
  );
  return rows.map(toPerson);
}

/** Remembers wherever these people are listed that their members were created by a source. */
export async function markCreated(tx: Transaction, siteId: string, emails: readonly string[]): Promise<void> {
  await inBatches(emails, async (batch) => {
    await tx.run(sql`
      UPDATE source_people SET created_member = ${true}
      WHERE site_id = ${siteId} AND email IN ${valueList(batch)}`);
    return [];
  });
}

/** Forgets people in all sources of the site. */
export async function erasePeople(tx: Transaction, siteId: string, emails: readonly string[]): Promise<void> {
  await inBatches(emails, async (batch) => {
    await tx.run(sql`DELETE FROM source_people WHERE site_id = ${siteId} AND email IN ${valueList(batch)}`);
    return [];
  });
}

/** All values that somebody has. */
export async function selectUsedValues(db: Queries, siteId: string, sourceId: string): Promise<Set<string>> {
  const rows = await db.all<{ group_values: string }>(sql`
    SELECT DISTINCT group_values FROM source_people WHERE site_id = ${siteId} AND source_id = ${sourceId}`);
  return new Set(rows.flatMap(({ group_values }): string[] => JSON.parse(group_values)));
}

export async function insertBlocks(
  tx: Transaction,
  siteId: string,
  sourceId: string,
  memberIds: readonly string[],
  at: Timestamp,
): Promise<void> {
  await tx.insert(
    'source_blocks',
    ['site_id', 'source_id', 'member_id', 'blocked_at'],
    memberIds.map((memberId) => [siteId, sourceId, memberId, at]),
    'ON CONFLICT (site_id, source_id, member_id) DO UPDATE SET blocked_at = excluded.blocked_at',
  );
}

/** Deletes the blocks of members by any source. Returns when each was blocked. */
export async function deleteBlocks(
  tx: Transaction,
  siteId: string,
  memberIds: readonly string[],
): Promise<Map<string, Timestamp>> {
  const rows = await inBatches(memberIds, (batch) =>
    tx.all<{ member_id: string; blocked_at: Timestamp }>(sql`
      DELETE FROM source_blocks
      WHERE site_id = ${siteId} AND member_id IN ${valueList(batch)}
      RETURNING member_id, blocked_at`),
  );
  const latest = rows.toSorted((one, other) => (one.blocked_at < other.blocked_at ? -1 : 1));
  return new Map(latest.map(({ member_id, blocked_at }) => [member_id, blocked_at]));
}

function toPerson(row: PersonRow): StoredPerson {
  return {
    email: row.email,
    values: JSON.parse(row.group_values),
    displayName: row.display_name === null ? undefined : JSON.parse(row.display_name),
    paid: row.paid === null ? undefined : toBoolean(row.paid),
    createdMember: toBoolean(row.created_member),
  };
}
