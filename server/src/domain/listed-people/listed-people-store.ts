import sql from 'sql-template-tag';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { inBatches } from '../../storage/sql/batches.ts';
import { forUpdateById } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';

// What sources have stored about members.

/** Forgets what sources have done with members. */
export async function deleteCreatedMembers(
  { db, siteId }: SiteData<Transaction>,
  memberIds: readonly string[],
): Promise<void> {
  await inBatches(memberIds, async (batch) => {
    await db.run(
      sql`DELETE FROM source_members WHERE site_id = ${siteId} AND member_id IN ${valueList(batch)}`,
    );
    await db.run(
      sql`DELETE FROM source_blocks WHERE site_id = ${siteId} AND member_id IN ${valueList(batch)}`,
    );
    return [];
  });
}

/** Identifies a collection of a source. */
interface CollectionKey {
  readonly sourceId: string;
  readonly collection: string;
}

/** Erases people in all sources of the site. Returns the collections in which they were. */
export function erasePeople(
  { db, siteId }: SiteData<Transaction>,
  emails: readonly string[],
): Promise<CollectionKey[]> {
  return inBatches(emails, (batch) =>
    db.all<CollectionKey>(sql`
      DELETE FROM source_people WHERE site_id = ${siteId} AND email IN ${valueList(batch)}
      RETURNING source_id AS "sourceId", collection`),
  );
}

/**
 * Lets collections be read again, also if they have not changed since the last synchronization. Waits for a
 * synchronization that is storing a version.
 */
export async function clearVersions(
  { db, siteId }: SiteData<Transaction>,
  collections: readonly CollectionKey[],
): Promise<void> {
  const bySource = Map.groupBy(collections, ({ sourceId }) => sourceId);
  for (const [sourceId, ofSource] of bySource) {
    const keys = new Set(ofSource.map(({ collection }) => collection));
    await db.run(sql`
      UPDATE source_collections SET token = NULL
      WHERE site_id = ${siteId} AND source_id = ${sourceId} AND key IN ${valueList(keys)}`);
  }
}

/** The people whom the results of a run name, as JSON by the key of the collection; null for none. */
export interface NamedPeople {
  readonly id: string;
  readonly samples: string | null;
  readonly skipped: string | null;
}

/** Locks the runs of a site that have ended and name people. */
export function lockRunsWithPeople({ db, siteId }: SiteData<Transaction>): Promise<NamedPeople[]> {
  return db.all(sql`
    SELECT id, samples, skipped FROM source_runs
    WHERE site_id = ${siteId} AND (samples IS NOT NULL OR skipped IS NOT NULL) AND ended_at IS NOT NULL
    ${forUpdateById(db)}`);
}

export async function updatePeopleOfRun(
  { db, siteId }: SiteData<Transaction>,
  { id, samples, skipped }: NamedPeople,
): Promise<void> {
  await db.run(sql`
    UPDATE source_runs SET samples = ${samples}, skipped = ${skipped} WHERE site_id = ${siteId} AND id = ${id}`);
}
