import type { Operator, Site } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { chargeSentEmail } from '../emails/email-budgets.ts';
import type { EmailContext } from '../emails/email-composer.ts';
import { queueNotice } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import { lockMemberByEmail } from '../members/member-lookup.ts';
import { originOf } from '../sites/site.ts';
import { invitationUrl } from '../sites/site-addresses.ts';
import { findSite } from '../sites/sites.ts';
import { toOperator } from './operator.ts';
import { selectOperatorOfPerson } from './operator-store.ts';

/**
 * Queues the email that tells an operator about a role and the URL of the dashboard. It contains no secret, so it is
 * listed with the emails of the site. Returns the id of the email. @throws {EmailWithheld}
 */
export async function queueInvitation(
  change: Change,
  tenant: Site,
  site: Site,
  { email }: Operator,
  { composer, limits }: EmailContext,
): Promise<string> {
  const { actor } = change.context;
  await chargeSentEmail(change, 'invitation', { id: null, email }, limits);
  const origin = originOf(tenant)!;
  const url = invitationUrl(tenant, email);
  const inviter = actor.type === 'operator' ? actor.name : null;
  const frame = { site: tenant, language: site.languages[0]! };
  const composed = composer.invitationEmail(frame, { url, inviter, siteTitle: site.title, email, origin });
  return queueNotice(change, { type: 'invitation', recipient: email, memberId: null }, tenant, composed);
}

/**
 * Queues an invitation again, for a person who still has a role on the site. Returns the id of the new email.
 * @throws {ApiError} `operator_not_found`, `email_budget_exhausted`
 */
export async function resendInvitation(
  change: Change,
  tenant: Site,
  email: string,
  emails: EmailContext,
): Promise<string> {
  const person = await lockMemberByEmail(change.on(tenant.id), email);
  const invited = person && (await selectOperatorOfPerson(change, tenant.id, person.id));
  if (!invited) {
    throw new ApiError(
      'operator_not_found',
      'This person is no longer an operator of the site. Invite the person again.',
    );
  }
  const operator = toOperator(invited);
  const emailId = await queueInvitation(change, tenant, await findSite(change), operator, emails);
  recordInvitation(change, operator);
  return emailId;
}

/** Records that an operator was invited, perhaps once more. */
export function recordInvitation(change: Change, { id, email, displayName, role }: Operator): void {
  change.record({ type: 'operator.invited', data: { operator: { id, email, displayName, role } } });
}
