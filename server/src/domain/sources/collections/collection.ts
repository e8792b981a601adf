import type { CollectionColumns } from '@gatehouse/contract';
import type { Timestamp } from '../../../base/clock.ts';

/** Identifies a collection of a site. */
export interface CollectionId {
  readonly sourceId: string;
  /** Its key. */
  readonly collection: string;
}

/** A collection that becomes one or more scope groups. */
export interface SourceCollection {
  readonly key: string;
  readonly name: string;
  /** Null if the lists come from a program. */
  readonly columns: CollectionColumns | null;
  /** The version that was synchronized last, if the workspace has such a token. */
  readonly token: string | null;
  /** When it was no longer chosen; null while it is. */
  readonly removedAt: Timestamp | null;
  /** Since when the workspace does not have it; null while it does. */
  readonly missingSince: Timestamp | null;
}

export interface CollectionRow {
  key: string;
  name: string;
  columns: string;
  token: string | null;
  removed_at: Timestamp | null;
  missing_since: Timestamp | null;
}

export function toSourceCollection(row: CollectionRow): SourceCollection {
  const columns: Partial<CollectionColumns> = JSON.parse(row.columns);
  return {
    key: row.key,
    name: row.name,
    columns: columns.email === undefined ? null : (columns as CollectionColumns),
    token: row.token,
    removedAt: row.removed_at,
    missingSince: row.missing_since,
  };
}
