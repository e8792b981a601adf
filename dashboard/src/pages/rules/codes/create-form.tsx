import type { PageCode } from '@gatehouse/client';
import { maxNameLength, maxPageCodeUses } from '@gatehouse/contract/limits';
import { NumberInput, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { type Expiry, expiryTime } from '../../../components/credentials/expiry.ts';
import { ExpiryFields } from '../../../components/credentials/expiry-fields.tsx';
import { DialogForm } from '../../../components/forms/dialog-form.tsx';
import { useSubmission } from '../../../hooks/use-submission.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSiteApi } from '../../../queries/site-api.ts';
import { useSite } from '../../../session/site.ts';
import { CodeTypeFields } from './code-type-fields.tsx';
import { type CodeValues, isTooShort, newCodeValues, textOf, toCode } from './code-values.ts';

interface CreateFormProps {
  close: () => void;
  done: (code: PageCode, text: string) => void;
}

interface Values extends CodeValues {
  label: string;
  expiry: Expiry;
  day: string;
  maxUses: number | '';
}

/** A form for a new page code. */
export function CreateForm({ close, done }: CreateFormProps) {
  const t = useTexts('codes');
  const { form, creation } = useCreation(done);
  return (
    <DialogForm form={creation} cancel={close} submit={t('createIt')}>
      <TextInput
        {...form.getInputProps('label')}
        label={t('label')}
        description={t('labelHelp')}
        maxLength={maxNameLength}
        autoComplete="off"
        data-autofocus
      />
      <CodeTypeFields form={form} />
      <ExpiryFields
        expiry={form.values.expiry}
        expiryInput={form.getInputProps('expiry')}
        dayInput={form.getInputProps('day')}
      />
      <MaxUsesField {...form.getInputProps('maxUses')} />
    </DialogForm>
  );
}

function useCreation(done: CreateFormProps['done']) {
  const t = useTexts('codes');
  const credentials = useTexts('credentials');
  const { gatehouse, keys } = useSiteApi();
  const { timeZone } = useSite();
  const form = useForm<Values>({
    initialValues: { ...newCodeValues, label: '', expiry: 'never', day: '', maxUses: '' },
    validate: {
      label: isNotEmpty(t('labelMissing')),
      code: (_, values) => (isTooShort(values) ? t('ownCodeMissing') : null),
      day: (day, { expiry }) =>
        expiryTime(expiry, day, timeZone, new Date()) === undefined ? credentials('dayMissing') : null,
    },
  });
  const creation = useSubmission(form, {
    send: ({ label, expiry, day, maxUses, ...code }) =>
      gatehouse.pageCodes.create({
        ...toCode(code),
        label: label.trim(),
        expiresAt: expiryTime(expiry, day, timeZone, new Date()),
        maxUses: maxUses === '' ? null : maxUses,
      }),
    onSuccess: (code) => done(code, textOf(code, form.getValues())),
    invalidates: [keys.pageCodes],
    fieldOf,
  });
  return { form, creation };
}

/** The field for a JSON pointer in the request. */
function fieldOf(pointer: string): keyof Values | undefined {
  return ({ '/label': 'label', '/code': 'code', '/expiresAt': 'day', '/maxUses': 'maxUses' } as const)[
    pointer
  ];
}

/** How many times a code can be entered; empty without a limit. */
export function MaxUsesField(props: Partial<Parameters<typeof NumberInput>[0]>) {
  const t = useTexts('codes');
  return (
    <NumberInput
      {...props}
      label={t('maxUses')}
      description={t('maxUsesHelp')}
      min={1}
      max={maxPageCodeUses}
      allowDecimal={false}
      allowNegative={false}
      hideControls
    />
  );
}
