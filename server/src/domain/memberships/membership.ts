import type { Actor, Membership } from '@gatehouse/contract';

/** The source of a membership, by the actor who created it. */
export function sourceOf({ type }: Actor): Membership['source'] {
  if (type === 'source') return 'scope';
  if (type === 'member') return 'sign_up';
  return type === 'operator' ? 'operator' : 'api';
}
