import { defaultPermissions, grants, type Permission, permissions } from '@gatehouse/contract/permissions';
import { ApiError } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import type { ApiKey } from './api-key.ts';

/** The permissions, expiry and rate limit of a key. */
export type KeyPowers = Pick<ApiKey, 'permissions' | 'expiresAt' | 'rateLimit'>;

/**
 * The limits within which a caller can grant or revoke keys. Operators are limited only by the permissions of their
 * role. A key is limited in every respect, or it could create a key that outlives it.
 */
export interface KeyAuthority {
  readonly permissions: readonly Permission[];
  /** The caller's key; undefined for an operator. */
  readonly key?: ApiKey;
  /** Requests per 60 s for an API key without its own limit; 0 for no limit. */
  readonly defaultRateLimit: number;
}

/** The authority of the command line, and of Gatehouse itself. */
export const fullAuthority: KeyAuthority = { permissions, defaultRateLimit: 0 };

/** The defaults of a new key: the values of the key that creates it, or else the general defaults. */
export function powersByDefault({ permissions, key }: KeyAuthority): KeyPowers {
  const defaults = defaultPermissions.filter((permission) => grants(permissions, permission));
  return {
    permissions: defaults.length > 0 ? defaults : permissions,
    expiresAt: key?.expiresAt ?? null,
    rateLimit: key?.rateLimit ?? null,
  };
}

/** @throws {ApiError} `permission_denied`, which names the value that exceeds the authority */
export function requireAuthority(authority: KeyAuthority, powers: KeyPowers): void {
  const missing = powers.permissions.filter((permission) => !grants(authority.permissions, permission));
  if (missing.length > 0) {
    throw denied(`This requires permissions that you do not have: ${missing.join(', ')}.`);
  }
  const { key } = authority;
  if (key === undefined) return;
  if (endsLater(powers.expiresAt, key.expiresAt)) {
    throw denied(`Your API key expires too early for this (${key.expiresAt}).`);
  }
  const limitOf = ({ rateLimit }: KeyPowers) => (rateLimit ?? authority.defaultRateLimit) || Infinity;
  if (limitOf(powers) > limitOf(key)) {
    throw denied(`The rate limit of your API key is too low for this (${limitOf(key)} requests per 60 s).`);
  }
}

/** @throws {ApiError} `permission_denied` for a key that expires */
export function requireNoEnd({ key }: KeyAuthority, what: string): void {
  if (key === undefined || key.expiresAt === null) return;
  throw new ApiError(
    'permission_denied',
    `Your API key expires (${key.expiresAt}), but ${what}. Use a key that does not expire, or the dashboard.`,
  );
}

/**
 * When something ends that a caller creates: by default, and at the latest, with the key of the caller.
 * @param wanted null for never; undefined for the default
 * @throws {ApiError} `permission_denied`
 */
export function endWithin({ key }: KeyAuthority, wanted: Timestamp | null | undefined): Timestamp | null {
  const limit = key?.expiresAt ?? null;
  if (wanted === undefined) return limit;
  if (!endsLater(wanted, limit)) return wanted;
  throw new ApiError(
    'permission_denied',
    `Your API key expires too early for this (${limit}). Use an earlier expiresAt or leave it out, or use another key.`,
  );
}

function endsLater(end: Timestamp | null, limit: Timestamp | null): boolean {
  return limit !== null && (end === null || end > limit);
}

function denied(reason: string): ApiError {
  return new ApiError(
    'permission_denied',
    `${reason} Use fewer permissions, an earlier expiry or a lower rate limit, or a key that has more.`,
  );
}
