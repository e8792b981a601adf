import type { WebhookDelivery } from '@gatehouse/client';
import { Code } from '@mantine/core';
import { Fact, Facts } from '../../../../components/tables/facts.tsx';
import { TimeText } from '../../../../components/time-text.tsx';
import { useTexts } from '../../../../languages/texts.tsx';
import { comingTime } from '../attempt-time.ts';
import { DeliveryObjectText } from '../delivery-object-text.tsx';
import { durationText } from '../duration.ts';

/** When and how often a message was sent. */
export function DeliveryFacts({ delivery }: { delivery: WebhookDelivery }) {
  const t = useTexts('webhooks');
  const { trigger, type, object, attempt, startedAt, dueAt, nextAttemptAt, durationMilliseconds, messageId } =
    delivery;
  const planned = dueAt ?? comingTime(nextAttemptAt, Date.now());
  return (
    <Facts>
      <Fact name={t('detail.kind')}>{t.has(`kind.${trigger}`) ? t(`kind.${trigger}`) : trigger}</Fact>
      <Fact name={t('detail.type')}>
        <Code>{type}</Code>
      </Fact>
      {object !== null && (
        <Fact name={t('object')}>
          <DeliveryObjectText object={object} />
        </Fact>
      )}
      <Fact name={t('detail.attempt')}>{attempt}</Fact>
      <Fact name={t('detail.sent')}>{startedAt !== null && <TimeText at={startedAt} as="full" />}</Fact>
      <Fact name={t('detail.duration')}>
        {durationMilliseconds !== null && durationText(durationMilliseconds)}
      </Fact>
      <Fact name={t(dueAt === null ? 'detail.next' : 'detail.due')}>
        {planned !== null && <TimeText at={planned} as="full" />}
      </Fact>
      <Fact name={t('detail.id')}>
        <Code>{messageId}</Code>
      </Fact>
    </Facts>
  );
}
