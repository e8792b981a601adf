import type { Invitation, Permission, Site } from '@gatehouse/contract';
import type { SecretBox } from '../../base/encryption/secret-box.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { originOf } from '../sites/site.ts';
import { joinUrl } from '../sites/site-addresses.ts';
import { findSite } from '../sites/sites.ts';
import { placeOfInvitationCode, type StoredInvitation, statusOf } from './invitation.ts';
import { mayInvite } from './maker.ts';

/** Who reads invitations, and with what their links are decrypted. */
export interface InvitationReader {
  readonly permissions: readonly Permission[];
  readonly secrets: SecretBox;
}

/** Shows invitations as the API does: with a link people join, so that only those see it who could make the invitation. */
export async function invitationsShownTo(
  view: SiteView,
  { permissions, secrets }: InvitationReader,
): Promise<(stored: StoredInvitation) => Invitation> {
  const site = mayInvite(permissions, []) ? await findSite(view) : null;
  return (stored) => {
    const seesUrl = site !== null && mayInvite(permissions, stored.groupIds);
    return showInvitation(stored, view, seesUrl ? urlOf(site, stored, secrets) : null);
  };
}

export function showInvitation(stored: StoredInvitation, { now }: SiteView, url: string | null): Invitation {
  const { groupIds, emailDomains, revokedAt, sealedCode, makerType, makerId, ...shown } = stored;
  const { id, note, email, membershipExpiresAt, membershipDays, maxUses, usedCount } = shown;
  const { needsApproval, language, expiresAt, sentAt, createdAt, updatedAt } = shown;
  return {
    id,
    note,
    email,
    accessGroupIds: [...groupIds],
    membershipExpiresAt,
    membershipDays,
    maxUses,
    usedCount,
    emailDomains: [...emailDomains],
    needsApproval,
    language,
    expiresAt,
    status: statusOf(stored, now),
    url,
    sentAt,
    createdAt,
    updatedAt,
  };
}

/** The link for everyone who has it; null if its code cannot be decrypted, or the site has no domain any more. */
function urlOf(site: Site, { id, sealedCode }: StoredInvitation, secrets: SecretBox): string | null {
  if (sealedCode === null || originOf(site) === null) return null;
  const code = secrets.openIfPossible(sealedCode, placeOfInvitationCode(site.id, id));
  return code === undefined ? null : joinUrl(site, code);
}
