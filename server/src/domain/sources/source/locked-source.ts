import type { Transaction } from '../../../storage/database.ts';
import type { SiteData } from '../../../storage/site-view.ts';
import { type StoredSource, sourceNotFound, toStoredSource } from './source.ts';
import { lockSourceRow } from './source-store.ts';

/** Locks a source, if it still exists, until the transaction ends. */
export async function lockSourceIfExists(
  view: SiteData<Transaction>,
  sourceId: string,
): Promise<StoredSource | undefined> {
  const row = await lockSourceRow(view, sourceId);
  return row && toStoredSource(row);
}

/** Locks a source until the transaction ends. @throws {ApiError} `source_not_found` */
export async function lockSource(view: SiteData<Transaction>, sourceId: string): Promise<StoredSource> {
  const source = await lockSourceIfExists(view, sourceId);
  if (!source) throw sourceNotFound();
  return source;
}
