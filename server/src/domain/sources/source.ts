import type { LeaverAction, Source, SourceKind } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import { toBoolean } from '../../storage/database.ts';

/** The settings of a source that operators choose. */
export interface SourceSettings {
  readonly name: string;
  readonly maxRemovedPeople: number;
  readonly maxRemovedPercent: number;
  readonly graceDays: number;
  readonly leavers: LeaverAction;
}

export const defaultSettings: Omit<SourceSettings, 'name'> = {
  maxRemovedPeople: 10,
  maxRemovedPercent: 20,
  graceDays: 7,
  leavers: 'keep',
};

export interface StoredSource extends SourceSettings {
  readonly id: string;
  readonly kind: SourceKind;
  /** Whether it is synchronized by the clock. */
  readonly enabled: boolean;
  readonly intervalMinutes: number;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** A collection that becomes one or more scope groups. */
export interface SourceCollection {
  readonly key: string;
  readonly name: string;
  readonly token: string | null;
  /** When it was no longer chosen; null while it is. */
  readonly removedAt: Timestamp | null;
  /** Since when the workspace does not have it; null while it does. */
  readonly missingSince: Timestamp | null;
}

export interface SourceRow {
  id: string;
  name: string;
  kind: string;
  enabled: boolean | number;
  interval_minutes: number;
  max_removed_people: number;
  max_removed_percent: number;
  grace_days: number;
  leavers: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export function toStoredSource(row: SourceRow): StoredSource {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind as Source['kind'],
    enabled: toBoolean(row.enabled),
    intervalMinutes: row.interval_minutes,
    maxRemovedPeople: row.max_removed_people,
    maxRemovedPercent: row.max_removed_percent,
    graceDays: row.grace_days,
    leavers: row.leavers as LeaverAction,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function sourceNotFound(): ApiError {
  return new ApiError('source_not_found', 'This site has no source with this ID. Check the ID.');
}
