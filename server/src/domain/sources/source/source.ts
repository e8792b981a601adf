import type { LeaveAction, Source, SourceType } from '@gatehouse/contract';
import { ApiError } from '../../../base/api-error.ts';
import type { Timestamp } from '../../../base/clock.ts';
import { toBoolean } from '../../../storage/database.ts';

/** The settings of a source that operators choose. */
export interface SourceSettings {
  readonly name: string;
  /** Whether it is synchronized on schedule. */
  readonly enabled: boolean;
  readonly intervalMinutes: number;
  readonly maxRemovedPeople: number;
  readonly maxRemovedPercent: number;
  readonly graceDays: number;
  readonly onLeave: LeaveAction;
}

export const defaultSettings: Omit<SourceSettings, 'name'> = {
  enabled: false,
  intervalMinutes: 15,
  maxRemovedPeople: 10,
  maxRemovedPercent: 20,
  graceDays: 7,
  onLeave: 'keep',
};

export interface StoredSource extends SourceSettings {
  readonly id: string;
  readonly type: SourceType;
  /** The host that it is read from; null if a program uploads the lists. */
  readonly host: string | null;
  /** Whether the workspace reports changes: a signed request has come. */
  readonly webhookActive: boolean;
  /** Until when the workspace may send the token of its webhook; null if no one has requested it. */
  readonly webhookAwaitedUntil: Timestamp | null;
  /** The token, or the address of the list: encrypted. */
  readonly secret: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

export interface SourceRow {
  id: string;
  name: string;
  type: string;
  enabled: boolean | number;
  settings: string;
  secret: string | null;
  interval_minutes: number;
  max_removed_people: number;
  max_removed_percent: number;
  grace_days: number;
  on_leave: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** The settings in the column `settings`. */
interface StoredSettings {
  readonly host?: string | null;
  readonly webhookActive?: boolean;
  readonly webhookAwaitedUntil?: Timestamp | null;
}

function readSettings(text: string): Required<StoredSettings> {
  const stored: StoredSettings = JSON.parse(text);
  const { host = null, webhookActive = false, webhookAwaitedUntil = null } = stored;
  return { host, webhookActive, webhookAwaitedUntil };
}

export function toStoredSource(row: SourceRow): StoredSource {
  return {
    id: row.id,
    name: row.name,
    type: row.type as Source['type'],
    enabled: toBoolean(row.enabled),
    ...readSettings(row.settings),
    secret: row.secret,
    intervalMinutes: row.interval_minutes,
    maxRemovedPeople: row.max_removed_people,
    maxRemovedPercent: row.max_removed_percent,
    graceDays: row.grace_days,
    onLeave: row.on_leave as LeaveAction,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** What is encrypted for a workspace that is connected with a token. */
export interface TokenSecret {
  readonly token: string;
  /** The token that signs the requests to the webhook, once the workspace has sent it. */
  readonly webhook?: string;
}

/** Where a secret belongs, so that it cannot be decrypted in another row. */
export function placeOfSecret(siteId: string, sourceId: string): string {
  return `${siteId}/${sourceId}`;
}

export function sourceNotFound(): ApiError {
  return new ApiError('source_not_found', 'This site has no source with this ID. Check the ID.');
}

export function sourceIsUploaded(): ApiError {
  return new ApiError(
    'source_is_uploaded',
    'A program uploads the lists of this source, so that Gatehouse cannot read it. Upload a list.',
  );
}
