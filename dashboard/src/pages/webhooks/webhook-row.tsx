import type { Webhook } from '@gatehouse/client';
import { Text, ThemeIcon } from '@mantine/core';
import { IconWebhook } from '../../components/icons/icons.ts';
import { Hint } from '../../components/layout/hint.tsx';
import { LinkText } from '../../components/layout/links.tsx';
import classes from '../../components/tables/state-rows.module.css';
import { WebhookAddress } from '../../components/webhooks/webhook-address.tsx';
import { WebhookHealth } from '../../components/webhooks/webhook-health.tsx';
import { webhookName } from '../../components/webhooks/webhook-name.ts';
import { useLastSuccess } from '../../components/webhooks/webhook-queries.ts';
import { stateOfWebhook, WebhookStateBadge } from '../../components/webhooks/webhook-state.tsx';
import { useTexts } from '../../languages/texts.tsx';

/** A webhook with its address, what it gets, and whether it works. */
export function WebhookRow({ webhook }: { webhook: Webhook }) {
  const lastSuccess = useLastSuccess(webhook.id);
  const state = stateOfWebhook(webhook, lastSuccess);
  const isBad = state === 'failing' || state === 'stopped';
  return (
    <li className={classes.row}>
      <ThemeIcon variant="light" size={36} radius="md" aria-hidden>
        <IconWebhook size={20} stroke={1.6} />
      </ThemeIcon>
      <div className={classes.facts}>
        <LinkText
          from="/$site"
          to="/$site/webhooks/$webhookId"
          params={{ webhookId: webhook.id }}
          c="inherit"
          fw={600}
        >
          {webhookName(webhook)}
        </LinkText>
        <WebhookAddress url={webhook.url} />
        <WebhookFacts webhook={webhook} />
        <Text size="sm" c={isBad ? 'var(--mantine-color-error)' : 'dimmed'}>
          <WebhookHealth webhook={webhook} lastSuccess={lastSuccess} />
        </Text>
      </div>
      <div>{lastSuccess !== undefined && <WebhookStateBadge state={state} />}</div>
    </li>
  );
}

function WebhookFacts({ webhook: { eventTypes, groupIds, content } }: { webhook: Webhook }) {
  const t = useTexts('webhooks');
  const facts = [
    eventTypes ? t('typeCount', { count: eventTypes.length }) : t('events.all'),
    groupIds && t('groupCount', { count: groupIds.length }),
    content === 'ids' && t('content.ids'),
  ].filter(Boolean);
  return <Hint>{facts.join(' · ')}</Hint>;
}
