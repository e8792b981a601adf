import { TextInput, type TextInputProps } from '@mantine/core';
import { maxDay, today } from '../format/days.ts';
import { browserTimeZone } from '../format/time-zone.ts';
import { useTexts } from '../languages/texts.tsx';
import { useSite } from '../session/site.ts';

interface LastDayInputProps extends TextInputProps {
  description?: string;
}

/** Names the time zone of the site, in which its days end, if it is not that of the browser. */
export function useDayZoneNote(): string | undefined {
  const t = useTexts('common');
  const { timeZone } = useSite();
  return timeZone === browserTimeZone() ? undefined : t('lastDayZone', { zone: timeZone });
}

/** A field for a last day from today on, which names the time zone of the site if it is not that of the browser. */
export function LastDayInput({ description, ...props }: LastDayInputProps) {
  const { timeZone } = useSite();
  const note = useDayZoneNote();
  return (
    <TextInput
      {...props}
      type="date"
      description={[description, note].filter(Boolean).join(' ')}
      min={today(timeZone)}
      max={maxDay}
    />
  );
}
