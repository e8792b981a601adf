import type { ApiKey, CreatedApiKey } from '@gatehouse/client';
import { Select, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { FormErrorNote } from '../../components/feedback/error-note.tsx';
import { DialogButtons } from '../../components/layout/dialog-buttons.tsx';
import { useFormErrors } from '../../hooks/use-form-errors.ts';
import { locale } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useGatehouse } from '../../session/site.ts';

interface RotateKeyFormProps {
  apiKey: ApiKey;
  close: () => void;
  created: (key: CreatedApiKey) => void;
}

/** Asks how long the old key stays valid, and creates the new one. */
export function RotateKeyForm({ apiKey, close, created }: RotateKeyFormProps) {
  const t = useTexts('keys');
  const gatehouse = useGatehouse();
  const form = useForm({ initialValues: { overlapHours: '24' } });
  const formErrors = useFormErrors(form);
  const rotation = useMutation({
    onMutate: formErrors.clear,
    onError: formErrors.show,
    mutationFn: ({ overlapHours }: typeof form.values) =>
      gatehouse.apiKeys.rotate(apiKey.id, { overlapHours: Number(overlapHours) }),
    onSuccess: created,
  });
  return (
    <form onSubmit={form.onSubmit((values) => rotation.mutate(values))}>
      <Stack>
        <span>{t('rotateText')}</span>
        <Select
          {...form.getInputProps('overlapHours')}
          label={t('overlap')}
          data={overlaps.map((hours) => ({
            value: String(hours),
            label: hours === 0 ? t('noOverlap') : durationText(hours),
          }))}
          allowDeselect={false}
        />
        <FormErrorNote failure={formErrors.failure} />
        <DialogButtons cancel={close} submit={t('rotate')} pending={rotation.isPending} />
      </Stack>
    </form>
  );
}

const overlaps = [0, 1, 24, 24 * 7, 24 * 30];
const maxHours = 24;
const hourFormat = new Intl.NumberFormat(locale, { style: 'unit', unit: 'hour', unitDisplay: 'long' });
const dayFormat = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' });

function durationText(hours: number): string {
  return hours <= maxHours ? hourFormat.format(hours) : dayFormat.format(hours / 24);
}
