import sql, { empty } from 'sql-template-tag';
import { type Transaction, toBoolean } from '../../../storage/database.ts';
import type { SiteData } from '../../../storage/site-view.ts';
import { inBatches, inPages } from '../../../storage/sql/batches.ts';
import { countOf } from '../../../storage/sql/results.ts';
import { valueList } from '../../../storage/sql/value-list.ts';
import type { CollectionId } from '../collections/collection.ts';
import type { Person } from './collection-people.ts';

interface PersonRow {
  email: string;
  group_values: string;
  display_name: string | null;
  paid: boolean | number | null;
}

const columns = sql`email, group_values, display_name, paid`;

/** Everyone in a collection as of the last synchronization, by email address. */
export async function findStoredPeople(
  { db, siteId }: SiteData,
  { sourceId, collection }: CollectionId,
): Promise<Map<string, Person>> {
  const people = new Map<string, Person>();
  // Many people have the same values, which are in memory once.
  const known = new Map<string, readonly string[]>();
  const select = (after: PersonRow | undefined, limit: number) =>
    db.all<PersonRow>(sql`
      SELECT ${columns} FROM source_people
      WHERE site_id = ${siteId} AND source_id = ${sourceId} AND collection = ${collection}
        AND email > ${after?.email ?? ''}
      ORDER BY email LIMIT ${limit}`);
  for await (const page of inPages(select)) {
    for (const row of page) {
      const person = toPerson(row, known.get(row.group_values));
      known.set(row.group_values, person.values);
      people.set(row.email, person);
    }
  }
  return people;
}

export function countPeople(
  { db, siteId }: SiteData,
  { sourceId, collection }: CollectionId,
): Promise<number> {
  return countOf(
    db,
    sql`SELECT count(*) AS count FROM source_people
      WHERE site_id = ${siteId} AND source_id = ${sourceId} AND collection = ${collection}`,
  );
}

/** A person as of the last synchronization of another collection. */
export interface PersonElsewhere extends Person, CollectionId {}

/**
 * Some people in the collections of a source, and in other sources that are not turned off, by email address.
 * @param here the source, and the collection that is left out, if one is
 */
export async function selectPeopleElsewhere(
  { db, siteId }: SiteData,
  { sourceId, collection }: Partial<CollectionId> & Pick<CollectionId, 'sourceId'>,
  emails: readonly string[],
): Promise<Map<string, PersonElsewhere[]>> {
  const rows = await inBatches(emails, (batch) =>
    db.all<PersonRow & { source_id: string; collection: string }>(sql`
      SELECT p.source_id, p.collection, p.email, p.group_values, p.display_name, p.paid
      FROM source_people p CROSS JOIN sources s
      WHERE p.site_id = ${siteId} AND p.email IN ${valueList(batch)}
        ${collection === undefined ? empty : sql`AND NOT (p.source_id = ${sourceId} AND p.collection = ${collection})`}
        AND s.site_id = ${siteId} AND s.id = p.source_id
        AND (s.id = ${sourceId} OR s.enabled = ${true} OR s.type = 'program')`),
  );
  const people = rows.map((row) => ({
    ...toPerson(row),
    sourceId: row.source_id,
    collection: row.collection,
  }));
  return Map.groupBy(people, ({ email }) => email);
}

export async function upsertPeople(
  { db, siteId }: SiteData<Transaction>,
  { sourceId, collection }: CollectionId,
  people: readonly Person[],
): Promise<void> {
  await db.insert(
    'source_people',
    ['site_id', 'source_id', 'collection', 'email', 'group_values', 'display_name', 'paid'],
    people.map(({ email, values, displayName, paid }) => [
      siteId,
      sourceId,
      collection,
      email,
      JSON.stringify(values),
      displayName === undefined ? null : JSON.stringify(displayName),
      paid ?? null,
    ]),
    `ON CONFLICT (site_id, source_id, collection, email) DO UPDATE SET
       group_values = excluded.group_values, display_name = excluded.display_name, paid = excluded.paid`,
  );
}

export async function deletePeople(
  { db, siteId }: SiteData<Transaction>,
  { sourceId, collection }: CollectionId,
  emails: readonly string[],
): Promise<void> {
  await inBatches(emails, async (batch) => {
    await db.run(sql`
      DELETE FROM source_people
      WHERE site_id = ${siteId} AND source_id = ${sourceId} AND collection = ${collection}
        AND email IN ${valueList(batch)}`);
    return [];
  });
}

/** The addresses of everyone in a collection of a source. */
export async function selectListedEmails(view: SiteData, sourceId: string): Promise<Set<string>> {
  const emails = new Set<string>();
  for await (const page of pagesOfSource(view, sourceId)) for (const { email } of page) emails.add(email);
  return emails;
}

/** All values that someone has. */
export async function selectUsedValues(view: SiteData, sourceId: string): Promise<Set<string>> {
  const texts = new Set<string>();
  for await (const page of pagesOfSource(view, sourceId)) {
    for (const { group_values } of page) texts.add(group_values);
  }
  return new Set([...texts].flatMap((text): string[] => JSON.parse(text)));
}

interface ListedRow {
  collection: string;
  email: string;
  group_values: string;
}

/** Everyone in every collection of a source. */
function pagesOfSource({ db, siteId }: SiteData, sourceId: string) {
  const select = ({ collection, email }: ListedRow, limit: number) =>
    db.all<ListedRow>(sql`
      SELECT collection, email, group_values FROM source_people
      WHERE site_id = ${siteId} AND source_id = ${sourceId} AND (collection, email) > (${collection}, ${email})
      ORDER BY collection, email LIMIT ${limit}`);
  return inPages<ListedRow>((after = { collection: '', email: '', group_values: '' }, limit) =>
    select(after, limit),
  );
}

function toPerson(row: PersonRow, values: readonly string[] = JSON.parse(row.group_values)): Person {
  return {
    email: row.email,
    values,
    displayName: row.display_name === null ? undefined : JSON.parse(row.display_name),
    paid: row.paid === null ? undefined : toBoolean(row.paid),
  };
}
