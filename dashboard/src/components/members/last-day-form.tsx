import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { startOfFurtherYear } from '../../format/days.ts';
import { useLastDay } from '../../hooks/use-last-day.ts';
import { loadTexts } from '../../languages/texts.tsx';
import { useSite } from '../../session/site.ts';
import { DialogButtons } from '../forms/dialog-buttons.tsx';
import { LastDayChoices } from './last-day-choices.tsx';
import { LastDayField } from './membership-fields.tsx';

// So that the page does not wait when the dialog opens.
loadTexts('ends').catch(() => {});

interface LastDayFormProps {
  /** When the membership ends or has ended; null for no end, undefined if there is none. */
  expiresAt: string | null | undefined;
  /** The day that is chosen at first; empty for no end. */
  day: string;
  /** A day that is saved already. */
  savedDay?: string | undefined;
  submit: string;
  /** Resolves to whether the end was saved. Otherwise the dialog stays open with the input. */
  save: (expiresAt: string | null) => Promise<boolean>;
  close: () => void;
  children?: ReactNode;
}

/** The form of a dialog in which the last day of one membership is chosen. */
export function LastDayForm({ expiresAt, day, savedDay, submit, save, close, children }: LastDayFormProps) {
  const { timeZone } = useSite();
  const form = useLastDay(day, async (end) => {
    const isSaved = await save(end);
    if (isSaved) close();
    return isSaved;
  });
  return (
    <form onSubmit={form.submit}>
      <Stack>
        {children}
        <LastDayField {...form.field} />
        <LastDayChoices from={startOfFurtherYear(expiresAt, timeZone)} {...form.field} />
        <DialogButtons
          cancel={close}
          submit={submit}
          pending={form.pending}
          disabled={form.field.day === savedDay}
        />
      </Stack>
    </form>
  );
}
