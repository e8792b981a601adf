import type { Operator, Site } from '@gatehouse/contract';
import { chargeSentEmail } from '../emails/email-budgets.ts';
import type { EmailContext } from '../emails/email-composer.ts';
import { queueEmail } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import { originOf } from '../sites/site.ts';
import { invitationUrl } from '../sites/site-addresses.ts';

/**
 * Queues the email that tells an operator about a role and the URL of the dashboard. It contains no secret, so it is
 * listed with the emails of the site. @throws {EmailWithheld}
 */
export async function queueInvitation(
  change: Change,
  tenant: Site,
  site: Site,
  { email }: Operator,
  { composer, limits }: EmailContext,
): Promise<void> {
  const { actor } = change.context;
  await chargeSentEmail(change, 'invitation', { id: null, email }, limits);
  const origin = originOf(tenant)!;
  const url = invitationUrl(tenant, email);
  const inviter = actor.type === 'operator' ? actor.name : null;
  const frame = { site: tenant, language: site.languages[0]! };
  const composed = composer.invitationEmail(frame, { url, inviter, siteTitle: site.title, email, origin });
  const content = { fromName: tenant.title, ...composed };
  await queueEmail(change, {
    kind: 'invitation',
    recipient: email,
    memberId: null,
    loginLinkId: null,
    content,
  });
}
