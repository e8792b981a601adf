import type { LeaveAction, SourceType } from '@gatehouse/contract';
import { ApiError } from '../../../base/api-error.ts';
import type { Timestamp } from '../../../base/clock.ts';

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

/** What a source needs to know about its connection, beside the secret. */
export interface ConnectionState {
  /** The host that it is read from; null if a program uploads the lists. */
  readonly host: string | null;
  /** Whether the workspace reports changes: a signed request has come. */
  readonly webhookActive: boolean;
  /** Until when the workspace may send the token of its webhook; null if no one has requested it. */
  readonly webhookAwaitedUntil: Timestamp | null;
}

export interface StoredSource extends SourceSettings, ConnectionState {
  readonly id: string;
  readonly type: SourceType;
  /** The token, or the address of the list: encrypted. */
  readonly secret: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
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
