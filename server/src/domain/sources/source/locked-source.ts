import type { Transaction } from '../../storage/database.ts';
import { type StoredSource, sourceNotFound, toStoredSource } from './source.ts';
import { lockSourceRow } from './source-store.ts';

/** Locks a source until the transaction ends. @throws {ApiError} `source_not_found` */
export async function lockSource(tx: Transaction, siteId: string, sourceId: string): Promise<StoredSource> {
  const row = await lockSourceRow(tx, siteId, sourceId);
  if (!row) throw sourceNotFound();
  return toStoredSource(row);
}
