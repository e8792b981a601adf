import type { Member } from '@gatehouse/contract';
import type { Change } from '../events/change.ts';
import { removeUnprovenIdentities } from '../identities/identities.ts';
import { endPasskeys } from '../passkey-ends/passkey-ends.ts';
import { loginSurfaceOf } from '../sites/site.ts';
import type { VisitedSite } from '../sites/visited-site.ts';

/**
 * Removes the passkeys and linked accounts of a member whose email address is verified only now: somebody else may have added
 * them before. Returns whether there were passkeys.
 */
export async function removeUnprovenWaysIn(
  own: Change,
  site: VisitedSite,
  member: Pick<Member, 'id' | 'email'>,
): Promise<boolean> {
  if (site.hasLoginProviders) await removeUnprovenIdentities(own, member);
  // An older version that runs beside this one does not record that operators have passkeys.
  if (!site.hasPasskeys && loginSurfaceOf(site) !== 'operators') return false;
  return (await endPasskeys(own, [member.id], 'email_verified')) > 0;
}
