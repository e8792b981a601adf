import type { Member, Site } from '@gatehouse/contract';
import { framesForMembers } from '../email-texts/email-texts.ts';
import type { EmailComposer } from '../emails/email-composer.ts';
import { hasRecentEmail, queueNotice } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import { findSessionLimitOfGroups } from '../memberships/memberships.ts';
import { evictSessions } from '../sessions/sessions.ts';
import { originOf } from '../sites/site.ts';
import { accountUrl } from '../sites/site-addresses.ts';

/** Ends the oldest sessions of a member who has more than the limit. Returns their number. */
export async function limitSessions(
  change: Change,
  { maxSessions }: Pick<Site, 'maxSessions'>,
  memberId: string,
): Promise<number> {
  const limit = (await findSessionLimitOfGroups(change, memberId)) ?? maxSessions;
  return evictSessions(change, memberId, limit);
}

/** Notifies a member by email that older sessions have ended, at most once in 24 hours. */
export async function notifyEndedSessions(
  change: Change,
  site: Site,
  member: Member,
  language: string,
  composer: EmailComposer,
): Promise<void> {
  const { id: memberId, email } = member;
  if (await hasRecentEmail(change, memberId, 'session_limit')) return;
  const origin = originOf(site)!;
  const frame = (await framesForMembers(change))(site, language, member);
  const composed = composer.sessionLimitEmail(frame, { url: accountUrl(site), email, origin });
  await queueNotice(change, { type: 'session_limit', recipient: email, memberId }, site, composed);
}
