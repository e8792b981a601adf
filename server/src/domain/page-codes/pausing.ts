import type { Operator } from '@gatehouse/contract';
import { grants, rolePermissions } from '@gatehouse/contract/permissions';
import { timestampAfter } from '../../base/clock.ts';
import type { EmailComposer } from '../emails/email-composer.ts';
import { queueNotice } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import { findEveryOperator } from '../operators/operators.ts';
import { findOperatorTenant } from '../sites/operator-tenant.ts';
import { originOf } from '../sites/site.ts';
import { findSite } from '../sites/sites.ts';
import { hasChosenCode, lockExistingSettings, savePause } from './page-code-store.ts';

/** Wrong attempts on a site in an hour after which chosen codes are not accepted for an hour. */
export const maxWrongAttempts = 300;
const pauseMilliseconds = 60 * 60 * 1_000;

/**
 * Pauses the chosen codes of a site for an hour, unless they are paused, and notifies the operators who can change them.
 * Generated codes cannot be guessed.
 */
export async function pausePageCodes(change: Change, composer: EmailComposer): Promise<void> {
  const settings = await lockExistingSettings(change);
  const { now } = change;
  if (!settings || (settings.pausedUntil ?? '') > now || !(await hasChosenCode(change))) return;
  const until = timestampAfter(now, pauseMilliseconds);
  await savePause(change, until);
  change.bySystem().record({ type: 'page-code.paused', data: { until } });
  await notifyOperators(change, composer);
}

async function notifyOperators(change: Change, composer: EmailComposer): Promise<void> {
  const tenant = await findOperatorTenant(change.db);
  const site = await findSite(change);
  const origin = originOf(tenant)!;
  const url = `${origin}/dashboard/${site.slug}/rules`;
  const frame = { site: tenant, language: site.languages[0]! };
  const operators = await findEveryOperator(change, tenant.id);
  for (const { email } of operators.filter(mayChangeCodes)) {
    const composed = composer.pageCodesPausedEmail(frame, { url, siteTitle: site.title, email, origin });
    const to = { type: 'page_codes_paused', recipient: email, memberId: null } as const;
    await queueNotice(change, to, tenant, composed);
  }
}

function mayChangeCodes({ role }: Operator): boolean {
  return grants(rolePermissions[role as keyof typeof rolePermissions] ?? [], 'site:write');
}
