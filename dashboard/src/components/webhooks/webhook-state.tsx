import type { Webhook, WebhookDelivery } from '@gatehouse/client';
import { Badge } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';

export type WebhookState = 'active' | 'idle' | 'retrying' | 'failing' | 'disabled' | 'stopped';

const colors: Readonly<Record<WebhookState, string>> = {
  active: 'teal',
  idle: 'gray',
  retrying: 'yellow',
  failing: 'red',
  disabled: 'gray',
  stopped: 'red',
};

/** The state of a webhook as a colored dot with a word. */
export function WebhookStateBadge({ state }: { state: WebhookState }) {
  const t = useTexts('webhooks');
  return (
    <Badge variant="dot" color={colors[state]} tt="none">
      {t(`state.${state}`)}
    </Badge>
  );
}

/**
 * The state of a webhook: `stopped` if Gatehouse disabled it, `idle` if it has received nothing yet, or not lately.
 * @param lastSuccess the last attempt that succeeded; undefined while it is not known
 */
export function stateOfWebhook(
  { status, disabledReason, failingSince }: Webhook,
  lastSuccess: WebhookDelivery | null | undefined,
): WebhookState {
  if (status === 'disabled') return disabledReason === 'request' ? 'disabled' : 'stopped';
  if (status === 'failing') return 'failing';
  if (failingSince !== null) return 'retrying';
  return lastSuccess === null ? 'idle' : 'active';
}
