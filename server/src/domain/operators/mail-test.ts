import type { Permission, Site } from '@gatehouse/contract';
import { grants, rolePermissions } from '@gatehouse/contract/permissions';
import { ApiError } from '../../base/api-error.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { chargeSentEmail } from '../emails/email-budgets.ts';
import type { EmailContext } from '../emails/email-composer.ts';
import { queueNotice } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import { originOf } from '../sites/site.ts';
import { findSite } from '../sites/sites.ts';
import { operatorActor, type StoredOperator } from './operator.ts';
import { findOperatorWithRole } from './operator-tokens.ts';

/** What an operator needs on a site to see how its emails are sent, and to test that. */
const needed: Permission = 'site:write';

/**
 * Queues a test email of a site to one of its operators, with the default texts, as to everybody who is no member.
 * Returns the id of the email.
 * @param language of the operator
 * @throws {ApiError} `permission_denied`, `email_budget_exhausted`
 */
export async function queueMailTest(
  change: Change,
  tenant: Site,
  personId: string,
  language: string,
  { composer, limits }: EmailContext,
): Promise<string> {
  const operator = await requireMailServerAccess(change, tenant.id, personId);
  const { email } = operator;
  const own = change.as(operatorActor(operator));
  await chargeSentEmail(own, 'mail_test', { id: null, email }, limits);
  const site = await findSite(own);
  const composed = composer.mailTestEmail({ site, language }, { email, origin: originOf(tenant)! });
  return queueNotice(own, { type: 'mail_test', recipient: email, memberId: null }, site, composed);
}

/** The operator of a site who may see how its emails are sent. @throws {ApiError} `permission_denied` */
export async function requireMailServerAccess(
  view: SiteData,
  tenantId: string,
  personId: string,
): Promise<StoredOperator> {
  const operator = await findOperatorWithRole(view, tenantId, personId);
  if (grants(rolePermissions[operator.role] ?? [], needed)) return operator;
  throw new ApiError(
    'permission_denied',
    `The permission ${needed} is required. Ask an owner of the site to give you another role.`,
  );
}
