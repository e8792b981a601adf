import type { Webhook, WebhookDelivery } from '@gatehouse/client';
import { useTexts } from '../../languages/texts.tsx';
import { type State, StateText } from '../state/state-text.tsx';

export type WebhookState = 'active' | 'idle' | 'retrying' | 'failing' | 'disabled' | 'stopped';

const states: Readonly<Record<WebhookState, State>> = {
  active: 'good',
  idle: 'neutral',
  retrying: 'attention',
  failing: 'bad',
  disabled: 'neutral',
  stopped: 'bad',
};

/** The state of a webhook in a word. */
export function WebhookStateText({ state }: { state: WebhookState }) {
  const t = useTexts('webhooks');
  return <StateText state={states[state]}>{t(`state.${state}`)}</StateText>;
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
