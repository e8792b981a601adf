import type { CreateApiKey, CreatedApiKey, Permission } from '@gatehouse/client';
import { Button, Checkbox, Group, Modal, NumberInput, Radio, Select, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { locale } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { lastDayThereIs, toDay } from '../../parts/days.ts';
import { FormErrorNote } from '../../parts/error-note.tsx';
import { useFormErrors } from '../../parts/form-errors.ts';
import { useGatehouse, useMay } from '../../session/site.ts';
import { type Expiry, expiries, expiryTime } from './expiry.ts';
import { keyPermissions } from './permissions.ts';

interface CreateKeyDialogProps {
  close: () => void;
  created: (key: CreatedApiKey) => void;
}

interface Values {
  name: string;
  scope: 'usual' | 'chosen';
  permissions: Permission[];
  expiry: Expiry;
  day: string;
  rateLimit: number | '';
}

/** Asks what a key is for and what it may do, and makes it. */
export function CreateKeyDialog({ close, created }: CreateKeyDialogProps) {
  const t = useTexts('keys');
  const parts = useTexts('parts');
  const gatehouse = useGatehouse();
  const form = useForm<Values>({
    initialValues: { name: '', scope: 'usual', permissions: [], expiry: 'never', day: '', rateLimit: '' },
    validate: {
      name: isNotEmpty(t('nameMissing')),
      permissions: (chosen, { scope }) =>
        scope === 'chosen' && chosen.length === 0 ? t('chooseSome') : null,
      day: (day, { expiry }) => (expiryTime(expiry, day, new Date()) === undefined ? t('dayMissing') : null),
    },
  });
  const formErrors = useFormErrors(form, fieldOf);
  const creation = useMutation({
    onMutate: formErrors.clear,
    onError: formErrors.show,
    mutationFn: (values: Values) => gatehouse.apiKeys.create(toKey(values)),
    onSuccess: created,
  });

  return (
    <Modal opened onClose={close} title={t('create')} size="lg">
      <form onSubmit={form.onSubmit((values) => creation.mutate(values))} noValidate>
        <Stack>
          <TextInput
            {...form.getInputProps('name')}
            label={t('name')}
            description={t('nameHelp')}
            maxLength={100}
            data-autofocus
          />
          <Radio.Group {...form.getInputProps('scope')} label={t('may')}>
            <Stack gap="sm" mt="xs">
              <Radio value="usual" label={t('usual')} description={t('usualHelp')} />
              <Radio value="chosen" label={t('chosen')} description={t('chosenHelp')} />
            </Stack>
          </Radio.Group>
          {form.values.scope === 'chosen' && (
            <Checkbox.Group {...form.getInputProps('permissions')} aria-label={t('may')}>
              <Stack gap="xs">
                {keyPermissions.map((permission) => (
                  <PermissionChoice key={permission} permission={permission} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
          <ExpiryFields form={form} />
          <NumberInput
            {...form.getInputProps('rateLimit')}
            label={t('rate')}
            description={t('rateHelp')}
            min={0}
            max={1_000_000_000}
            allowDecimal={false}
            allowNegative={false}
            hideControls
          />
          <FormErrorNote failure={formErrors.failure} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {parts('cancel')}
            </Button>
            <Button type="submit" loading={creation.isPending}>
              {t('create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** The field of a place in the request. */
function fieldOf(pointer: string): keyof Values | undefined {
  const [name] = pointer.slice(1).split('/');
  return ({ name: 'name', permissions: 'permissions', expiresAt: 'day', rateLimit: 'rateLimit' } as const)[
    name as keyof CreateApiKey
  ];
}

function toKey({ name, scope, permissions, expiry, day, rateLimit }: Values): CreateApiKey {
  return {
    name: name.trim(),
    permissions: scope === 'chosen' ? permissions : undefined,
    expiresAt: expiryTime(expiry, day, new Date()),
    rateLimit: rateLimit === '' ? undefined : rateLimit,
  };
}

/** Nobody hands on what is not his or her own. */
function PermissionChoice({ permission }: { permission: (typeof keyPermissions)[number] }) {
  const t = useTexts('keys');
  const may = useMay(permission);
  return (
    <Checkbox
      value={permission}
      label={t(`permission.${permission}`)}
      description={may ? permission : t('notYours')}
      disabled={!may}
    />
  );
}

const days = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' });

function ExpiryFields({ form }: { form: UseFormReturnType<Values> }) {
  const t = useTexts('keys');
  const label = (expiry: Expiry) => {
    if (expiry === 'never') return t('never');
    return expiry === 'day' ? t('otherDay') : days.format(Number(expiry));
  };
  return (
    <Group align="flex-start" grow>
      <Select
        {...form.getInputProps('expiry')}
        label={t('expiry')}
        data={expiries.map((value) => ({ value, label: label(value) }))}
        allowDeselect={false}
      />
      {form.values.expiry === 'day' && (
        <TextInput
          {...form.getInputProps('day')}
          type="date"
          label={t('lastDay')}
          min={toDay(new Date())}
          max={lastDayThereIs}
        />
      )}
    </Group>
  );
}
