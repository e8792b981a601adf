import type { CreateApiKey, CreatedApiKey, Permission } from '@gatehouse/client';
import { maxNameLength, maxRateLimit } from '@gatehouse/contract/limits';
import { NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, type UseFormReturnType, useForm } from '@mantine/form';
import { type Expiry, expiryTime } from '../../components/credentials/expiry.ts';
import { ExpiryFields } from '../../components/credentials/expiry-fields.tsx';
import { DialogForm } from '../../components/forms/dialog-form.tsx';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useGatehouse, useSite } from '../../session/site.ts';
import { PermissionFields } from './permissions/permission-fields.tsx';

interface CreateKeyFormProps {
  close: () => void;
  created: (key: CreatedApiKey) => void;
}

type Values = {
  name: string;
  scope: 'default' | 'chosen';
  permissions: Permission[];
  expiry: Expiry;
  day: string;
  rateLimit: number | '';
};

/** A form for the name, permissions, expiry and rate limit of a new key. */
export function CreateKeyForm({ close, created }: CreateKeyFormProps) {
  const t = useTexts('keys');
  const { form, creation } = useCreation(created);
  return (
    <DialogForm form={creation} cancel={close} submit={t('create')}>
      <TextInput
        {...form.getInputProps('name')}
        label={t('name')}
        description={t('nameHelp')}
        maxLength={maxNameLength}
        data-autofocus
      />
      <ScopeFields form={form} />
      <ExpiryFields
        expiry={form.values.expiry}
        expiryInput={form.getInputProps('expiry')}
        dayInput={form.getInputProps('day')}
      />
      <NumberInput
        {...form.getInputProps('rateLimit')}
        label={t('rate')}
        description={t('rateHelp')}
        min={0}
        max={maxRateLimit}
        allowDecimal={false}
        allowNegative={false}
        hideControls
      />
    </DialogForm>
  );
}

function useCreation(created: (key: CreatedApiKey) => void) {
  const t = useTexts('keys');
  const credentials = useTexts('credentials');
  const gatehouse = useGatehouse();
  const { timeZone } = useSite();
  const form = useForm<Values>({
    initialValues: { name: '', scope: 'default', permissions: [], expiry: 'never', day: '', rateLimit: '' },
    validate: {
      name: isNotEmpty(t('nameMissing')),
      permissions: (chosen, { scope }) =>
        scope === 'chosen' && chosen.length === 0 ? t('chooseSome') : null,
      day: (day, { expiry }) =>
        expiryTime(expiry, day, timeZone, new Date()) === undefined ? credentials('dayMissing') : null,
    },
  });
  const creation = useSubmission(form, {
    send: (values) => gatehouse.apiKeys.create(toKey(values, timeZone)),
    onSuccess: created,
    fieldOf,
  });
  return { form, creation };
}

/** The field for a JSON pointer in the request. */
function fieldOf(pointer: string): keyof Values | undefined {
  const [name] = pointer.slice(1).split('/');
  return ({ name: 'name', permissions: 'permissions', expiresAt: 'day', rateLimit: 'rateLimit' } as const)[
    name as keyof CreateApiKey
  ];
}

function toKey({ name, scope, permissions, expiry, day, rateLimit }: Values, timeZone: string): CreateApiKey {
  return {
    name: name.trim(),
    permissions: scope === 'chosen' ? permissions : undefined,
    expiresAt: expiryTime(expiry, day, timeZone, new Date()),
    rateLimit: rateLimit === '' ? undefined : rateLimit,
  };
}

function ScopeFields({ form }: { form: UseFormReturnType<Values> }) {
  const t = useTexts('keys');
  const { value, onChange, error } = form.getInputProps('permissions');
  return (
    <>
      <Radio.Group {...form.getInputProps('scope')} label={t('permissions')}>
        <Stack gap="sm" mt="xs">
          <Radio value="default" label={t('default')} description={t('defaultHelp')} />
          <Radio value="chosen" label={t('chosen')} description={t('chosenHelp')} />
        </Stack>
      </Radio.Group>
      {form.values.scope === 'chosen' && <PermissionFields value={value} onChange={onChange} error={error} />}
    </>
  );
}
