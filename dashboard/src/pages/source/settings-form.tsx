import type { Source } from '@gatehouse/client';
import { maxNameLength } from '@gatehouse/contract/limits';
import { Group, Input, NumberInput, Radio, Select, Stack, TextInput } from '@mantine/core';
import { isInRange, isNotEmpty, type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { DialogForm } from '../../components/forms/dialog-form.tsx';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { useSaveSource } from '../../queries/source-changes.ts';
import { saveChanged, type Version } from '../../queries/version.ts';
import { intervals, intervalText } from './interval-text.ts';

interface SettingsFormProps {
  saved: Version<Source>;
  close: () => void;
}

type Values = Pick<
  Source,
  'name' | 'intervalMinutes' | 'maxRemovedPeople' | 'maxRemovedPercent' | 'graceDays' | 'onLeave'
>;

/** The settings of a source that any kind has, and how often Gatehouse reads it. */
export function SettingsForm({ saved, close }: SettingsFormProps) {
  // Edits that started on one version must never overwrite another one.
  const [base] = useState(saved);
  const t = useTexts('sources');
  const common = useTexts('common');
  const form = useSettings(base.data);
  const saving = useSaving(base, form, close);
  return (
    <DialogForm form={saving} cancel={close} submit={common('save')}>
      <TextInput
        {...form.getInputProps('name')}
        label={t('name')}
        maxLength={maxNameLength}
        autoComplete="off"
        data-autofocus
      />
      {base.data.type !== 'program' && <IntervalField form={form} />}
      <LimitFields form={form} />
      <Radio.Group {...form.getInputProps('onLeave')} label={t('onLeave')} description={t('onLeaveHelp')}>
        <Stack gap="xs" mt={6}>
          <Radio value="keep" label={t('onLeave.keep')} />
          <Radio value="block" label={t('onLeave.block')} />
        </Stack>
      </Radio.Group>
    </DialogForm>
  );
}

type Form = UseFormReturnType<Values>;

function useSettings(source: Source): Form {
  const t = useTexts('sources');
  const { name, intervalMinutes, maxRemovedPeople, maxRemovedPercent, graceDays, onLeave } = source;
  const wrong = t('numberWrong');
  return useForm<Values>({
    initialValues: { name, intervalMinutes, maxRemovedPeople, maxRemovedPercent, graceDays, onLeave },
    validate: {
      name: isNotEmpty(t('nameMissing')),
      maxRemovedPeople: isInRange({ min: 0, max: 1_000_000 }, wrong),
      maxRemovedPercent: isInRange({ min: 0, max: 100 }, wrong),
      graceDays: isInRange({ min: 0, max: 365 }, wrong),
    },
  });
}

function IntervalField({ form }: { form: Form }) {
  const t = useTexts('sources');
  const { intervalMinutes } = form.values;
  const choices = [...new Set([...intervals, intervalMinutes])].sort((one, other) => one - other);
  return (
    <Select
      label={t('interval')}
      data={choices.map((minutes) => ({ value: String(minutes), label: intervalText(minutes) }))}
      value={String(intervalMinutes)}
      onChange={(minutes) => form.setFieldValue('intervalMinutes', Number(minutes))}
      allowDeselect={false}
    />
  );
}

function LimitFields({ form }: { form: Form }) {
  const t = useTexts('sources');
  const whole = {
    allowDecimal: false,
    allowNegative: false,
    hideControls: true,
    clampBehavior: 'none',
  } as const;
  return (
    <>
      <Input.Wrapper
        role="group"
        aria-label={t('limits')}
        label={t('limits')}
        labelElement="div"
        description={t('limitsHelp')}
      >
        <Group grow align="flex-start" mt="xs">
          <NumberInput {...form.getInputProps('maxRemovedPeople')} {...whole} label={t('maxPeople')} />
          <NumberInput
            {...form.getInputProps('maxRemovedPercent')}
            {...whole}
            label={t('maxPercent')}
            suffix=" %"
          />
        </Group>
      </Input.Wrapper>
      <NumberInput
        {...form.getInputProps('graceDays')}
        {...whole}
        label={t('graceField')}
        description={t('graceHelp')}
      />
    </>
  );
}

function useSaving(base: Version<Source>, form: Form, close: () => void) {
  const t = useTexts('sources');
  const { gatehouse, keys } = useSiteApi();
  const save = useSaveSource();
  const { id } = base.data;
  return useSubmission(form, {
    send: (submitted) =>
      saveChanged<Source, Values>({
        base,
        before: base.data,
        values: { ...submitted, name: submitted.name.trim() },
        read: () => gatehouse.sources.get(id),
        send: (changes, etag) => save(id, changes, etag),
      }),
    onSuccess: close,
    done: () => t('saved'),
    stale: { title: t('staleTitle'), queryKey: keys.sources.one(id), close },
  });
}
