import type { WebhookDelivery } from '@gatehouse/client';
import { Text, UnstyledButton } from '@mantine/core';
import rows from '../../../components/tables/pressable-rows.module.css';
import { TimeText } from '../../../components/time-text.tsx';
import { useTypeText } from '../../../components/webhooks/use-type-text.ts';
import { useTexts } from '../../../languages/texts.tsx';
import classes from './deliveries.module.css';
import { DeliveryErrorText } from './delivery-error-text.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { durationText } from './duration.ts';

interface DeliveryRowProps {
  delivery: WebhookDelivery;
  open: () => void;
}

/** An attempt in a line. It opens to its request and its response. */
export function DeliveryRow({ delivery, open }: DeliveryRowProps) {
  const t = useTexts('webhooks');
  const typeText = useTypeText();
  const { type, trigger, attempt, status, responseStatus, durationMilliseconds, error } = delivery;
  const facts = [
    trigger === 'replay' && t('kind.replay'),
    attempt > 1 && t('attempt', { number: attempt }),
    // An error says it as well.
    responseStatus !== null && error?.code !== 'status' && t('status', { number: String(responseStatus) }),
    durationMilliseconds !== null && durationText(durationMilliseconds),
  ].filter(Boolean);
  return (
    <UnstyledButton className={rows.row!} onClick={open}>
      <span className={rows.said}>
        <Text component="span" display="block" fw={500}>
          {typeText(type)}
        </Text>
        <Text component="span" display="block" size="xs" c="dimmed">
          {facts.join(' · ')}
        </Text>
        {error && (
          <Text component="span" display="block" size="xs" c="var(--mantine-color-error)">
            <DeliveryErrorText error={error} responseStatus={responseStatus} />
          </Text>
        )}
      </span>
      <DeliveryState state={status} />
      <Text component="span" size="xs" c="dimmed" className={classes.time!}>
        <DeliveryTime delivery={delivery} />
      </Text>
    </UnstyledButton>
  );
}

/** When it was sent, or will be. */
function DeliveryTime({ delivery: { startedAt, dueAt } }: { delivery: WebhookDelivery }) {
  const at = startedAt ?? dueAt;
  return at === null ? '–' : <TimeText at={at} />;
}
