import sql, { raw } from 'sql-template-tag';
import { type Timestamp, timestampBefore } from '../../base/clock.ts';
import type { Queries, Transaction } from '../database.ts';
import type { SiteView } from '../site-view.ts';
import { valueList } from './value-list.ts';

/** A row that was found to be purged. */
export interface ExpiredRow {
  readonly siteId: string;
  /** Identifies it within its site. */
  readonly id: string;
}

/** Rows of a table that are purged after a time. */
export interface ExpiringRows {
  readonly table: string;
  /** The column with the time. */
  readonly time: string;
  /** How long after that time. 0 by default. */
  readonly retentionMilliseconds?: number;
  /** The column that identifies a row within its site: by default `id`. */
  readonly key?: string;
  /** A condition for the rows, followed by `AND`. */
  readonly condition?: string;
}

/** Finds rows to purge, and deletes them. */
export interface Expiry {
  /** A few rows over all sites, the oldest first. */
  find(db: Queries, now: Timestamp, limit: number): Promise<ExpiredRow[]>;
  /** Deletes those of the rows that still are to be purged. */
  purge(view: SiteView<Transaction>, rows: readonly ExpiredRow[]): Promise<void>;
}

export function expiryOf({
  table,
  time,
  retentionMilliseconds = 0,
  key = 'id',
  condition = '',
}: ExpiringRows): Expiry {
  const [rows, column, at, ofKind] = [raw(table), raw(key), raw(time), raw(condition)];
  const id = key === 'id' ? column : raw(`${key} AS id`);
  return {
    find: (db, now, limit) =>
      db.all(sql`
        SELECT site_id AS "siteId", ${id} FROM ${rows}
        WHERE ${ofKind}${at} <= ${timestampBefore(now, retentionMilliseconds)} ORDER BY ${at} LIMIT ${limit}`),
    purge: async ({ db, siteId, now }, found) => {
      const ids = valueList(found.map((row) => row.id));
      await db.run(sql`
        DELETE FROM ${rows} WHERE site_id = ${siteId} AND ${column} IN ${ids}
          AND ${ofKind}${at} <= ${timestampBefore(now, retentionMilliseconds)}`);
    },
  };
}
