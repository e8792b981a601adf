import type { CreateApiKey, CreatedApiKey, Permission } from '@gatehouse/client';
import { maxNameLength, maxRateLimit } from '@gatehouse/contract/limits';
import { NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, type UseFormReturnType, useForm } from '@mantine/form';
import { type Expiry, expiryTime } from '../../components/credentials/expiry.ts';
import { ExpiryFields } from '../../components/credentials/expiry-fields.tsx';
import { DialogForm } from '../../components/forms/dialog-form.tsx';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useGatehouse, usePermissionsOfSite, useSite } from '../../session/site.ts';
import { readPermissions } from './permissions/areas.ts';
import { PermissionFields } from './permissions/permission-fields.tsx';

interface CreateKeyFormProps {
  close: () => void;
  created: (key: CreatedApiKey) => void;
}

/** What is chosen with one click, or in each area. */
const scopes = ['readOnly', 'default', 'chosen'] as const;
type Scope = (typeof scopes)[number];

type Values = {
  name: string;
  scope: Scope;
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
  const own = usePermissionsOfSite();
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
    send: (values) => gatehouse.apiKeys.create(toKey(values, own, timeZone)),
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

/** @param own what the operator may do: keys cannot do more */
function toKey(values: Values, own: readonly Permission[], timeZone: string): CreateApiKey {
  const { name, scope, permissions, expiry, day, rateLimit } = values;
  const granted: Record<Scope, Permission[] | undefined> = {
    readOnly: readPermissions.filter((each) => own.includes(each)),
    default: undefined,
    chosen: permissions,
  };
  return {
    name: name.trim(),
    permissions: granted[scope],
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
          {scopes.map((scope) => (
            <Radio key={scope} value={scope} label={t(`preset.${scope}`)} description={t(`${scope}Help`)} />
          ))}
        </Stack>
      </Radio.Group>
      {form.values.scope === 'chosen' && <PermissionFields value={value} onChange={onChange} error={error} />}
    </>
  );
}
