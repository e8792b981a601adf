import { maxWebhookDescriptionLength, maxWebhookParallelism } from '@gatehouse/contract/limits';
import { NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import { isInRange, type UseFormReturnType, useForm } from '@mantine/form';
import { useTexts } from '../../languages/texts.tsx';
import { EventTypesChoice, WebhookGroups } from './webhook-filters.tsx';
import type { WebhookValues } from './webhook-values.ts';

export type WebhookForm = UseFormReturnType<WebhookValues>;

export function useWebhookForm(initialValues: WebhookValues): WebhookForm {
  const t = useTexts('webhooks');
  return useForm<WebhookValues>({
    initialValues,
    validate: {
      url: (url) => (URL.canParse(url.trim()) ? null : t('urlMissing')),
      eventTypes: (types, { scope }) => (scope === 'chosen' && types.length === 0 ? t('typesMissing') : null),
      parallelism: (number, { order }) =>
        order === 'parallel'
          ? isInRange({ min: 2, max: maxWebhookParallelism }, t('parallelismWrong'))(number)
          : null,
    },
  });
}

/** The fields for the settings of a webhook. */
export function WebhookFields({ form }: { form: WebhookForm }) {
  const t = useTexts('webhooks');
  return (
    <>
      <TextInput
        {...form.getInputProps('url')}
        label={t('url')}
        description={t('urlHelp')}
        placeholder="https://"
        type="url"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <TextInput
        {...form.getInputProps('description')}
        label={t('description')}
        description={t('descriptionHelp')}
        maxLength={maxWebhookDescriptionLength}
        autoComplete="off"
      />
      <Radio.Group {...form.getInputProps('scope')} label={t('events')}>
        <Stack gap="xs" mt={6}>
          <Radio value="all" label={t('events.all')} description={t('events.allHelp')} />
          <Radio value="chosen" label={t('events.chosen')} />
        </Stack>
      </Radio.Group>
      {form.values.scope === 'chosen' && (
        <EventTypesChoice {...form.getInputProps('eventTypes')} placeholder={t('typesPlaceholder')} />
      )}
      <WebhookGroups {...form.getInputProps('groupIds')} />
      <Radio.Group {...form.getInputProps('content')} label={t('content')}>
        <Stack gap="xs" mt={6}>
          <Radio value="full" label={t('content.full')} description={t('contentHelp.full')} />
          <Radio value="ids" label={t('content.ids')} description={t('contentHelp.ids')} />
        </Stack>
      </Radio.Group>
      <OrderFields form={form} />
    </>
  );
}

function OrderFields({ form }: { form: WebhookForm }) {
  const t = useTexts('webhooks');
  return (
    <>
      <Radio.Group {...form.getInputProps('order')} label={t('order')}>
        <Stack gap="xs" mt={6}>
          <Radio value="parallel" label={t('order.parallel')} description={t('orderHelp.parallel')} />
          <Radio value="ordered" label={t('order.ordered')} description={t('orderHelp.ordered')} />
        </Stack>
      </Radio.Group>
      {form.values.order === 'parallel' && (
        <NumberInput
          {...form.getInputProps('parallelism')}
          label={t('parallelism')}
          min={2}
          max={maxWebhookParallelism}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          hideControls
        />
      )}
    </>
  );
}
