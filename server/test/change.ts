import { type ChangeContext, systemContext } from '../src/base/change-context.ts';
import { type Change, makeChange } from '../src/domain/events/change.ts';
import type { Database } from '../src/storage/database.ts';

/** Makes a change to a site without the service: as Gatehouse itself, and now, unless the context says otherwise. */
export function changing<T>(
  database: Database,
  siteId: string,
  work: (change: Change) => Promise<T>,
  context: ChangeContext = systemContext(new Date().toISOString()),
): Promise<T> {
  return database.transaction((tx) => makeChange({ db: tx, siteId }, context, work));
}
