import type { ReplayWebhook, Webhook } from '@gatehouse/client';
import { Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogForm } from '../../components/forms/dialog-form.tsx';
import { EventTypesChoice } from '../../components/webhooks/webhook-filters.tsx';
import { fromLocalTime, localTimeLimits, toLocalTime } from '../../format/local-time.ts';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';

interface ReplayFormProps {
  webhook: Webhook;
  /** The beginning of what was missed; empty if it is not known. */
  missedSince: string;
  close: () => void;
}

interface Values {
  since: string;
  until: string;
  eventTypes: string[];
}

/** Chooses the time and the types of the events that are sent again. */
export function ReplayForm({ webhook, missedSince, close }: ReplayFormProps) {
  const t = useTexts('webhooks');
  const form = useTimes(missedSince);
  const replay = useSubmission(form, {
    send: useReplay(webhook.id),
    onSuccess: close,
    done: () => t('replayStarted'),
  });
  return (
    <DialogForm form={replay} cancel={close} submit={t('sendAgain')}>
      <Text size="sm">{t(missedSince === '' ? 'replayText' : 'replayMissed')}</Text>
      <Group grow preventGrowOverflow={false} align="flex-start">
        <TextInput
          {...form.getInputProps('since')}
          {...localTimeLimits}
          type="datetime-local"
          miw="12rem"
          label={t('since')}
          description={t('replayZone')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data-autofocus
        />
        <TextInput
          {...form.getInputProps('until')}
          {...localTimeLimits}
          type="datetime-local"
          miw="12rem"
          label={t('until')}
          description={t('untilHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      </Group>
      <EventTypesChoice {...form.getInputProps('eventTypes')} placeholder={t('replayTypes')} />
    </DialogForm>
  );
}

function useTimes(missedSince: string) {
  const t = useTexts('webhooks');
  return useForm<Values>({
    initialValues: { since: missedSince && minuteBefore(missedSince), until: '', eventTypes: [] },
    validate: {
      since: (since) => (fromLocalTime(since) ? null : t('sinceMissing')),
      until: (until, { since }) => (until !== '' && until <= since ? t('untilBeforeSince') : null),
    },
  });
}

/** The minute before the first failure, because its event happened before. Seconds have no room in the field. */
function minuteBefore(at: string): string {
  return toLocalTime(new Date(new Date(at).setSeconds(-60, 0)).toISOString());
}

function useReplay(webhookId: string) {
  const { gatehouse, keys, client } = useSiteApi();
  return async ({ since, until, eventTypes }: Values): Promise<void> => {
    const types = eventTypes as ReplayWebhook['eventTypes'] & {};
    await gatehouse.webhooks.replay(webhookId, {
      since: fromLocalTime(since)!,
      ...(until !== '' && { until: fromLocalTime(until)! }),
      ...(types.length > 0 && { eventTypes: types }),
    });
    await client.invalidateQueries({ queryKey: keys.webhooks.one(webhookId) });
    await client.invalidateQueries({ queryKey: keys.webhooks.deliveries(webhookId) });
  };
}
