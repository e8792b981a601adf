import type { Timestamp } from '../base/clock.ts';
import type { Queries } from './database.ts';

/** The rows of one site. */
export interface SiteData<Db extends Queries = Queries> {
  readonly db: Db;
  readonly siteId: string;
}

/** The rows of one site, seen at one time. A `Change` is one too. */
export interface SiteView<Db extends Queries = Queries> extends SiteData<Db> {
  readonly now: Timestamp;
}
