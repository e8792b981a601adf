import { Group } from '@mantine/core';
import { lastOfYear, yearAfter } from '../../format/days.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSite } from '../../session/site.ts';
import { ActionButton } from '../layout/action-button.tsx';

interface LastDayChoicesProps {
  /** The day that is chosen; empty for no end. */
  day: string;
  change: (day: string) => void;
  /** The day from which a year is counted. */
  from: string;
}

/** Usual last days of memberships, beside a field for any day. */
export function LastDayChoices({ day, change, from }: LastDayChoicesProps) {
  const t = useTexts('ends');
  const { timeZone } = useSite();
  const choices = [
    { label: t('nextYear'), value: yearAfter(from) },
    { label: t('thisYear'), value: lastOfYear(timeZone) },
    { label: t('none'), value: '' },
  ];
  return (
    <Group gap="xs" role="group" aria-label={t('choices')}>
      {choices.map(({ label, value }) => (
        <ActionButton
          key={label}
          size="xs"
          variant={day === value ? 'light' : 'default'}
          aria-pressed={day === value}
          label={label}
          onClick={() => change(value)}
        />
      ))}
    </Group>
  );
}
