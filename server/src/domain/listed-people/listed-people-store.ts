import sql from 'sql-template-tag';
import type { Transaction } from '../../storage/database.ts';
import { inBatches } from '../../storage/sql/batches.ts';
import { forUpdateById } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';

// What sources have stored about members.

/** Forgets what sources have done with members. */
export async function deleteCreatedMembers(
  tx: Transaction,
  siteId: string,
  memberIds: readonly string[],
): Promise<void> {
  await inBatches(memberIds, async (batch) => {
    await tx.run(
      sql`DELETE FROM source_members WHERE site_id = ${siteId} AND member_id IN ${valueList(batch)}`,
    );
    await tx.run(
      sql`DELETE FROM source_blocks WHERE site_id = ${siteId} AND member_id IN ${valueList(batch)}`,
    );
    return [];
  });
}

/** Erases people in all sources of the site. Returns the collections in which they were. */
export function erasePeople(
  tx: Transaction,
  siteId: string,
  emails: readonly string[],
): Promise<{ source_id: string; collection: string }[]> {
  return inBatches(emails, (batch) =>
    tx.all<{ source_id: string; collection: string }>(sql`
      DELETE FROM source_people WHERE site_id = ${siteId} AND email IN ${valueList(batch)}
      RETURNING source_id, collection`),
  );
}

/**
 * Lets collections be read again, also if they have not changed since the last synchronization. Waits for a
 * synchronization that is storing a version.
 */
export async function clearVersions(
  tx: Transaction,
  siteId: string,
  collections: readonly { readonly source_id: string; readonly collection: string }[],
): Promise<void> {
  const bySource = Map.groupBy(collections, ({ source_id }) => source_id);
  for (const [sourceId, ofSource] of bySource) {
    const keys = new Set(ofSource.map(({ collection }) => collection));
    await tx.run(sql`
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
export function lockRunsWithPeople(tx: Transaction, siteId: string): Promise<NamedPeople[]> {
  return tx.all(sql`
    SELECT id, samples, skipped FROM source_runs
    WHERE site_id = ${siteId} AND (samples IS NOT NULL OR skipped IS NOT NULL) AND ended_at IS NOT NULL
    ${forUpdateById(tx)}`);
}

export async function updatePeopleOfRun(
  tx: Transaction,
  siteId: string,
  { id, samples, skipped }: NamedPeople,
): Promise<void> {
  await tx.run(sql`
    UPDATE source_runs SET samples = ${samples}, skipped = ${skipped} WHERE site_id = ${siteId} AND id = ${id}`);
}
