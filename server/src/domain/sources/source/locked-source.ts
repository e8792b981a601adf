import type { Transaction } from '../../../storage/database.ts';
import type { SiteData } from '../../../storage/site-view.ts';
import { type StoredSource, sourceNotFound } from './source.ts';
import { lockSourceIfExists } from './source-store.ts';

export { lockSourceIfExists } from './source-store.ts';

/** Locks a source until the transaction ends. @throws {ApiError} `source_not_found` */
export async function lockSource(view: SiteData<Transaction>, sourceId: string): Promise<StoredSource> {
  const source = await lockSourceIfExists(view, sourceId);
  if (!source) throw sourceNotFound();
  return source;
}
