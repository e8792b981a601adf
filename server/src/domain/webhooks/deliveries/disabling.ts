import type { Operator } from '@gatehouse/contract';
import { grants, rolePermissions } from '@gatehouse/contract/permissions';
import type { EmailComposer } from '../../emails/email-composer.ts';
import { queueNotice } from '../../emails/emails.ts';
import type { Change } from '../../events/change.ts';
import { findEveryOperator } from '../../operators/operators.ts';
import { findOperatorTenant } from '../../sites/operator-tenant.ts';
import { originOf } from '../../sites/site.ts';
import { findSite } from '../../sites/sites.ts';
import type { StoredWebhook } from '../webhook.ts';
import { updateWebhookRow } from '../webhook-store.ts';
import { endWaitingDeliveries } from './delivery-store.ts';

/** Disables a webhook whose receiver accepts no messages, and notifies the operators who can change that. */
export async function disableWebhook(
  change: Change,
  webhook: StoredWebhook,
  reason: 'gone' | 'failing',
  composer: EmailComposer,
): Promise<void> {
  const { now } = change;
  const { id: webhookId, host } = webhook;
  await updateWebhookRow(change, {
    ...webhook,
    enabled: false,
    disabledReason: reason,
    replay: null,
    dueAt: null,
    updatedAt: now,
  });
  await endWaitingDeliveries(change, webhookId);
  change.record({ type: 'webhook.disabled', data: { webhookId, host, reason } });
  await notifyOperators(change, host, reason, composer);
}

async function notifyOperators(
  change: Change,
  host: string,
  reason: 'gone' | 'failing',
  composer: EmailComposer,
): Promise<void> {
  const { db } = change;
  const tenant = await findOperatorTenant(db);
  const site = await findSite(change);
  const origin = originOf(tenant)!;
  const frame = { site: tenant, language: site.languages[0]! };
  const operators = await findEveryOperator(change, tenant.id);
  for (const { email } of operators.filter(mayChangeWebhooks)) {
    const url = `${origin}/dashboard/${site.slug}/webhooks`;
    const composed = composer.webhookDisabledEmail(frame, {
      url,
      host,
      reason,
      siteTitle: site.title,
      email,
      origin,
    });
    await queueNotice(
      change,
      { type: 'webhook_disabled', recipient: email, memberId: null },
      tenant,
      composed,
    );
  }
}

function mayChangeWebhooks({ role }: Operator): boolean {
  return grants(rolePermissions[role as keyof typeof rolePermissions] ?? [], 'webhooks:write');
}
