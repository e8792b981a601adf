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
