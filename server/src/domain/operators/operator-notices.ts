import type { EmailType, Permission } from '@gatehouse/contract';
import { grants, rolePermissions } from '@gatehouse/contract/permissions';
import type { ComposedEmail, EmailFrame } from '../emails/email-composer.ts';
import { queueNotice } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import { findOperatorTenant } from '../sites/operator-tenant.ts';
import { originOf } from '../sites/site.ts';
import { findSite } from '../sites/sites.ts';
import { findEveryOperator } from './operators.ts';

/** What every email to operators about something on a site needs. */
export interface OperatorNotice {
  /** The URL of a page of the site in the dashboard. */
  readonly url: string;
  readonly siteTitle: string;
  /** The recipient. */
  readonly email: string;
  /** The URL of Gatehouse. */
  readonly origin: string;
}

/** Which operators get an email, of which type, and the page of the dashboard to which it links. */
export interface NoticeTarget {
  /** What they can do about it. */
  readonly permission: Permission;
  readonly type: EmailType;
  /** The last part of its address. */
  readonly page: string;
}

/** Queues an email to each operator of a site who has a permission, in the first language of the site. */
export async function notifyOperators(
  change: Change,
  { permission, type, page }: NoticeTarget,
  compose: (frame: EmailFrame, notice: OperatorNotice) => ComposedEmail,
): Promise<void> {
  const tenant = await findOperatorTenant(change.db);
  const site = await findSite(change);
  const origin = originOf(tenant)!;
  const frame = { site: tenant, language: site.languages[0]! };
  const url = `${origin}/dashboard/${site.slug}/${page}`;
  for (const { email, role } of await findEveryOperator(change, tenant.id)) {
    if (!grants(rolePermissions[role] ?? [], permission)) continue;
    const composed = compose(frame, { url, siteTitle: site.title, email, origin });
    await queueNotice(change, { type, recipient: email, memberId: null }, tenant, composed);
  }
}
