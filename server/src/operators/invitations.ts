import type { Operator, Site } from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import type { EmailLimits } from '../base/email-limits.ts';
import { chargeSentEmail } from '../email-budgets/email-budgets.ts';
import { queueMail } from '../mail/mails.ts';
import { realmOf } from '../sites/realm.ts';
import { originOf } from '../sites/site.ts';
import type { Transaction } from '../storage/database.ts';
import { invitationMail } from './invitation-mail.ts';

/**
 * Queues the mail that tells an operator of a role, and where the dashboard is. There is no secret in it, so that it
 * stands among the mails of the site. @throws EmailWithheld
 */
export async function queueInvitation(
  tx: Transaction,
  realm: Site,
  site: Site,
  { email }: Operator,
  cause: Cause,
  limits: EmailLimits,
): Promise<void> {
  const { actor, at } = cause;
  await chargeSentEmail(tx, site.id, 'invitation', { id: null, email }, limits, cause);
  const origin = originOf(realm)!;
  const url = `${origin}${realmOf(realm).prefix}/login?email=${encodeURIComponent(email)}`;
  const inviter = actor.type === 'operator' ? actor.name : null;
  const frame = { site: realm, language: site.languages[0]! };
  const mail = invitationMail(frame, { url, inviter, siteTitle: site.title, email, origin });
  const content = { fromName: realm.title, ...mail };
  await queueMail(
    tx,
    site.id,
    { kind: 'invitation', recipient: email, memberId: null, loginLinkId: null, content },
    at,
  );
}
