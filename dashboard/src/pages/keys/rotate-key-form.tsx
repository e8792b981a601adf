import type { ApiKey, CreatedApiKey } from '@gatehouse/client';
import { Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogForm } from '../../components/forms/dialog-form.tsx';
import { useSubmission } from '../../hooks/use-submission.ts';
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
  const rotation = useSubmission(form, {
    send: ({ overlapHours }) => gatehouse.apiKeys.rotate(apiKey.id, { overlapHours: Number(overlapHours) }),
    onSuccess: created,
  });
  return (
    <DialogForm form={rotation} cancel={close} submit={t('rotate')}>
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
    </DialogForm>
  );
}

const overlaps = [0, 1, 24, 24 * 7, 24 * 30];
const maxHours = 24;
const hourFormat = new Intl.NumberFormat(locale, { style: 'unit', unit: 'hour', unitDisplay: 'long' });
const dayFormat = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' });

function durationText(hours: number): string {
  return hours <= maxHours ? hourFormat.format(hours) : dayFormat.format(hours / 24);
}
