import type { Operator } from '@gatehouse/contract';
import { grants, rolePermissions } from '@gatehouse/contract/permissions';
import { timestampBefore } from '../../base/clock.ts';
import type { EmailComposer } from '../emails/email-composer.ts';
import { queueNotice } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import { lockJoinRequests, markAnnounced, wereNotifiedSince } from '../join-requests/join-requests.ts';
import { findEveryOperator } from '../operators/operators.ts';
import { findOperatorTenant } from '../sites/operator-tenant.ts';
import { originOf } from '../sites/site.ts';
import { findSite } from '../sites/sites.ts';

const millisecondsBetweenNotices = 60 * 60_000;

/**
 * Tells the operators who can decide how many people have asked since the last time, unless that was less than an hour ago.
 */
export async function announceJoinRequests(change: Change, composer: EmailComposer): Promise<void> {
  await lockJoinRequests(change);
  if (await wereNotifiedSince(change, timestampBefore(change.now, millisecondsBetweenNotices))) return;
  const count = await markAnnounced(change);
  if (count > 0) await notifyOperators(change, count, composer);
}

async function notifyOperators(change: Change, count: number, composer: EmailComposer): Promise<void> {
  const tenant = await findOperatorTenant(change.db);
  const site = await findSite(change);
  const origin = originOf(tenant)!;
  const frame = { site: tenant, language: site.languages[0]! };
  const url = `${origin}/dashboard/${site.slug}/join-requests`;
  const operators = await findEveryOperator(change, tenant.id);
  for (const { email } of operators.filter(mayDecide)) {
    const values = { url, count, siteTitle: site.title, email, origin };
    const composed = composer.joinRequestsEmail(frame, values);
    await queueNotice(change, { type: 'join_requests', recipient: email, memberId: null }, tenant, composed);
  }
}

function mayDecide({ role }: Operator): boolean {
  return grants(rolePermissions[role as keyof typeof rolePermissions] ?? [], 'join-requests:write');
}
