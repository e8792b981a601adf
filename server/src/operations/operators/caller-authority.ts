import { keyAuthorityOf } from '../../domain/api-keys/api-keys.ts';
import { type KeyAuthority, requireNoEnd } from '../../domain/api-keys/key-authority.ts';
import type { ChangingContext } from '../operation-handler.ts';

/** The authority of the caller of an operation. The keys of the site are locked. @throws {ApiError} `invalid_api_key` */
export function authorityOf({
  change,
  actor,
  permissions,
  defaultRateLimit,
}: ChangingContext): Promise<KeyAuthority> {
  return keyAuthorityOf(change, { actor, permissions }, defaultRateLimit);
}

/**
 * Rejects a key with an expiry, because what it wants to make, redirect or stop continues without a key.
 * @param what with its verb, such as `a webhook continues sending events`
 * @throws {ApiError} `permission_denied`, `invalid_api_key`
 */
export async function requireLastingCaller(context: ChangingContext, what: string): Promise<void> {
  requireNoEnd(await authorityOf(context), what);
}
