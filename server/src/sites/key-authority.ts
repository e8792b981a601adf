import { defaultPermissions, grants, type Permission, permissions } from '@gatehouse/contract';
import type { Timestamp } from '../base/clock.ts';
import { Refusal } from '../base/refusal.ts';
import type { ApiKey } from './api-key.ts';

/** What a key may do, for how long, and how often. */
export type KeyPowers = Pick<ApiKey, 'permissions' | 'expiresAt' | 'rateLimit'>;

/**
 * The most that somebody can give to a key, or take away with one. Operators are bound by the permissions of their role
 * alone; a key is bound in every respect, or it could outlive itself in a key that it made.
 */
export interface KeyAuthority {
  readonly permissions: readonly Permission[];
  /** The key that acts; undefined for an operator. */
  readonly key?: ApiKey;
  /** Requests in 60 s of a key without a limit of its own; 0 for no limit. */
  readonly defaultRateLimit: number;
}

/** That of the person at the command line, and of the service itself. */
export const fullAuthority: KeyAuthority = { permissions, defaultRateLimit: 0 };

/** What a new key has where nothing else was asked for: that of the key which makes it, or else what is usual. */
export function powersByDefault({ permissions, key }: KeyAuthority): KeyPowers {
  const usual = defaultPermissions.filter((permission) => grants(permissions, permission));
  return {
    permissions: usual.length > 0 ? usual : permissions,
    expiresAt: key?.expiresAt ?? null,
    rateLimit: key?.rateLimit ?? null,
  };
}

/** @throws Refusal `permission_denied`, which names what goes too far */
export function requireAuthority(authority: KeyAuthority, powers: KeyPowers): void {
  const missing = powers.permissions.filter((permission) => !grants(authority.permissions, permission));
  if (missing.length > 0) {
    throw denied(`This takes permissions that the caller lacks: ${missing.join(', ')}.`);
  }
  const { key } = authority;
  if (key === undefined) return;
  if (endsLater(powers.expiresAt, key.expiresAt)) {
    throw denied(`This lasts longer than the API key of the caller, which ends at ${key.expiresAt}.`);
  }
  const limitOf = ({ rateLimit }: KeyPowers) => (rateLimit ?? authority.defaultRateLimit) || Infinity;
  if (limitOf(powers) > limitOf(key)) {
    throw denied(`This has a higher limit than the API key of the caller: ${limitOf(key)} requests in 60 s.`);
  }
}

function endsLater(end: Timestamp | null, limit: Timestamp | null): boolean {
  return limit !== null && (end === null || end > limit);
}

function denied(reason: string): Refusal {
  return new Refusal(
    'permission_denied',
    `${reason} Nobody can give or take away more than they have: ask for less, or use a stronger key.`,
  );
}
