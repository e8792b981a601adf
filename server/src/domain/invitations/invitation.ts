import type { InvitationStatus } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import type { Maker } from './maker.ts';

/** What can be changed of an invitation. */
export interface InvitationSettings {
  readonly note: string;
  /** Custom groups. One that has been deleted is ignored. */
  readonly groupIds: readonly string[];
  readonly membershipExpiresAt: Timestamp | null;
  readonly membershipDays: number | null;
  /** Null without limit. */
  readonly maxUses: number | null;
  /** Empty for every domain. */
  readonly emailDomains: readonly string[];
  readonly needsApproval: boolean;
  readonly expiresAt: Timestamp;
}

/** A link with which people become members, or join groups. Of its codes only hashes are stored. */
export interface StoredInvitation extends InvitationSettings, Maker {
  readonly id: string;
  /** The only address for which it works; null if it works for everyone who has the link. */
  readonly email: string | null;
  readonly language: string | null;
  readonly usedCount: number;
  readonly revokedAt: Timestamp | null;
  /** The code, encrypted; null for an invitation to an address. */
  readonly sealedCode: string | null;
  readonly sentAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** Whether people can join with it. `selectInvitations` filters by the same rules. */
export function statusOf(
  { revokedAt, maxUses, usedCount, expiresAt }: StoredInvitation,
  now: Timestamp,
): InvitationStatus {
  if (revokedAt !== null) return 'revoked';
  if (maxUses !== null && usedCount >= maxUses) return 'used_up';
  return expiresAt <= now ? 'expired' : 'active';
}

/** Whether somebody with this normalized email address can join with it now. It says nothing of members. */
export function worksFor(invitation: StoredInvitation, email: string, now: Timestamp): boolean {
  if (statusOf(invitation, now) !== 'active') return false;
  if (invitation.email !== null) return invitation.email === email;
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return invitation.emailDomains.length === 0 || invitation.emailDomains.includes(domain);
}

/** Where a code belongs, so that it cannot be decrypted in another row. */
export function placeOfInvitationCode(siteId: string, invitationId: string): string {
  return `${siteId}/invitations/${invitationId}`;
}

export function invitationNotFound(): ApiError {
  return new ApiError(
    'invitation_not_found',
    'This site has no invitation with this ID. It may have been purged. Check the ID.',
  );
}

export function invitationNotActive(status: InvitationStatus): ApiError {
  return new ApiError('invitation_not_active', `The invitation ${ends[status]}. Create a new one.`);
}

const ends: Readonly<Record<InvitationStatus, string>> = {
  active: 'is not active',
  used_up: 'is used up',
  expired: 'has expired',
  revoked: 'has been revoked',
};

export const alreadyInvitedMessage =
  'This email address has an active invitation to the same groups. Send that one again instead.';
