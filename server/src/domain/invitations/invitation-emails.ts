import type { Member, Site } from '@gatehouse/contract';
import type { FrameForMember } from '../email-texts/email-texts.ts';
import type { EmailComposer } from '../emails/email-composer.ts';
import { queueNotice } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import { originOf } from '../sites/site.ts';
import { joinUrl } from '../sites/site-addresses.ts';
import type { StoredInvitation } from './invitation.ts';

/** What writes the emails. */
interface InvitationEmails {
  readonly composer: EmailComposer;
  readonly frameFor: FrameForMember;
}

/**
 * Queues the email with the link of an invitation to an address, and records it. It has no text of who invites: it goes to
 * somebody who may not know them. Returns the id of the email.
 * @param member who has the address, whose row is locked; null if nobody has it
 */
export async function queueMemberInvitation(
  change: Change,
  site: Site,
  invitation: StoredInvitation,
  code: string,
  member: Member | null,
  { composer, frameFor }: InvitationEmails,
): Promise<string> {
  const email = invitation.email!;
  const language = languageOf(site, invitation);
  const composed = composer.memberInvitationEmail(
    member === null ? { site, language } : frameFor(site, language, member),
    {
      url: joinUrl(site, code),
      expiresAt: invitation.expiresAt,
      timeZone: site.timeZone,
      email,
      origin: originOf(site)!,
    },
  );
  change.record({ type: 'invitation.sent', data: { invitationId: invitation.id } });
  return queueNotice(
    change,
    { type: 'member_invitation', recipient: email, memberId: member?.id ?? null },
    site,
    composed,
  );
}

/** The chosen language, if the site still has it. */
function languageOf({ languages }: Site, { language }: StoredInvitation): string {
  return language !== null && languages.includes(language) ? language : languages[0]!;
}
