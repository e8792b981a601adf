import type { ApiKey } from '@gatehouse/client';

/** The state of a key: `replaced` is a rotated key that still works beside its successor. */
export type KeyState = 'in_force' | 'replaced' | 'expired' | 'revoked';

export function keyState({ revokedAt, expiresAt, replacedBy }: ApiKey, now: number): KeyState {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return 'expired';
  return replacedBy === null ? 'in_force' : 'replaced';
}

/** Whether programs can authenticate with it. */
export function isUsable(state: KeyState): boolean {
  return state === 'in_force' || state === 'replaced';
}
