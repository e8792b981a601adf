import type { ApiKey, CreatedApiKey } from '@gatehouse/client';
import { Button, Group, Modal, Select, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { locale } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { FormErrorNote } from '../../parts/error-note.tsx';
import { useFormErrors } from '../../parts/form-errors.ts';
import { useGatehouse } from '../../session/site.ts';

interface RotateKeyDialogProps {
  apiKey: ApiKey;
  close: () => void;
  created: (key: CreatedApiKey) => void;
}

/** Asks how long the old key goes on working, and makes the new one. */
export function RotateKeyDialog({ apiKey, close, created }: RotateKeyDialogProps) {
  const t = useTexts('keys');
  const parts = useTexts('parts');
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
    <Modal opened onClose={close} title={t('rotateTitle', { name: apiKey.name })}>
      <form onSubmit={form.onSubmit((values) => rotation.mutate(values))}>
        <Stack>
          <span>{t('rotateText')}</span>
          <Select
            {...form.getInputProps('overlapHours')}
            label={t('overlap')}
            data={overlaps.map((hours) => ({
              value: String(hours),
              label: hours === 0 ? t('atOnce') : durationText(hours),
            }))}
            allowDeselect={false}
          />
          <FormErrorNote failure={formErrors.failure} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {parts('cancel')}
            </Button>
            <Button type="submit" loading={rotation.isPending}>
              {t('rotate')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

const overlaps = [0, 1, 24, 24 * 7, 24 * 30];
const longestInHours = 24;
const hourFormat = new Intl.NumberFormat(locale, { style: 'unit', unit: 'hour', unitDisplay: 'long' });
const dayFormat = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' });

function durationText(hours: number): string {
  return hours <= longestInHours ? hourFormat.format(hours) : dayFormat.format(hours / 24);
}
