import type { PageCode, PageCodeStatus, PageCodeType } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import type { SecretBox } from '../../base/encryption/secret-box.ts';

export interface StoredPageCode {
  readonly id: string;
  readonly label: string;
  readonly type: PageCodeType;
  readonly codeHash: string;
  /** Encrypted; null for one that was chosen. */
  readonly sealedCode: string | null;
  readonly expiresAt: Timestamp | null;
  readonly maxUses: number | null;
  readonly usedCount: number;
  readonly lastUsedAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** What all page codes of a site have in common. */
export interface PageCodeSettings {
  readonly salt: string;
  /** Until when chosen codes are not accepted; null if they are. */
  readonly pausedUntil: Timestamp | null;
}

/** A page code that a visitor has entered. */
export interface EnteredPageCode {
  readonly id: string;
  readonly label: string;
}

export function statusOf(
  { type, expiresAt, maxUses, usedCount }: StoredPageCode,
  pausedUntil: Timestamp | null,
  now: Timestamp,
): PageCodeStatus {
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  if (maxUses !== null && usedCount >= maxUses) return 'used_up';
  return type === 'chosen' && pausedUntil !== null && pausedUntil > now ? 'paused' : 'active';
}

/** How page codes are shown. */
export interface ShownAs {
  readonly siteId: string;
  readonly now: Timestamp;
  readonly pausedUntil: Timestamp | null;
  /** Opens the codes; undefined for a caller who must not see them. */
  readonly secrets: SecretBox | undefined;
}

/** The page code as the API shows it. A code that cannot be decrypted is not shown. */
export function showPageCode(
  stored: StoredPageCode,
  { siteId, now, pausedUntil, secrets }: ShownAs,
): PageCode {
  const { id, label, type, sealedCode, expiresAt, maxUses, usedCount, lastUsedAt } = stored;
  const code =
    sealedCode === null ? undefined : secrets?.openIfPossible(sealedCode, placeOfPageCode(siteId, id));
  return {
    id,
    label,
    type,
    code: code ?? null,
    expiresAt,
    maxUses,
    usedCount,
    lastUsedAt,
    status: statusOf(stored, pausedUntil, now),
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
  };
}

/** Where a code belongs, so that it cannot be decrypted in another row. */
export function placeOfPageCode(siteId: string, pageCodeId: string): string {
  return `${siteId}/page-codes/${pageCodeId}`;
}

export function pageCodeNotFound(): ApiError {
  return new ApiError('page_code_not_found', 'This site has no page code with this ID. Check the ID.');
}

export function pageCodeTaken(): ApiError {
  return new ApiError(
    'page_code_taken',
    'Another page code of the site has the same code. Choose another one.',
  );
}
