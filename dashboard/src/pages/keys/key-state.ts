import type { ApiKey } from '@gatehouse/client';

/** Where a key stands: `replaced` is one that still works beside the key that takes its place. */
export type KeyState = 'in_force' | 'replaced' | 'expired' | 'revoked';

export function keyState({ revokedAt, expiresAt, replacedBy }: ApiKey, now: number): KeyState {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return 'expired';
  return replacedBy === null ? 'in_force' : 'replaced';
}

/** Whether programs get in with it. */
export function works(state: KeyState): boolean {
  return state === 'in_force' || state === 'replaced';
}
