import { Button, Group } from '@mantine/core';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { useTexts } from '../../languages/texts.tsx';

interface StepButtonsProps {
  /** Undefined in the first step. */
  back?: (() => void) | undefined;
  /** The label of the button that leads to the next step. */
  next: string;
  /** Undefined if the button submits its form. */
  go?: (() => void) | undefined;
  pending?: boolean;
  disabled?: boolean;
}

/** The buttons at the end of each step. */
export function StepButtons({ back, next, go, pending = false, disabled = false }: StepButtonsProps) {
  const t = useTexts('sources');
  return (
    <Group justify="space-between" gap="xs">
      {back ? <ActionButton label={t('previous')} onClick={back} disabled={pending} /> : <span />}
      <Button type={go ? 'button' : 'submit'} onClick={go} loading={pending} disabled={disabled}>
        {next}
      </Button>
    </Group>
  );
}
