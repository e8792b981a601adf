import { dayOf, lastDayOf } from '@gatehouse/contract/time-zones';
import { Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { chosenEnd } from '../../format/days.ts';
import { useSingleFlight } from '../../hooks/use-single-flight.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSite } from '../../session/site.ts';
import { DialogButtons } from '../forms/dialog-buttons.tsx';
import { Dialog } from '../layout/dialog.tsx';
import { LastDayField } from './membership-fields.tsx';

interface LastDayFormProps {
  /** The current end; null if there is none. */
  expiresAt: string | null;
  /** Resolves to whether the day was saved. Otherwise the dialog stays open with the input. */
  save: (expiresAt: string | null) => Promise<boolean>;
  close: () => void;
}

interface LastDayDialogProps extends LastDayFormProps {
  opened: boolean;
  title: ReactNode;
}

/** Asks for a new last day of a membership. */
export function LastDayDialog({ opened, title, ...form }: LastDayDialogProps) {
  return (
    <Dialog opened={opened} onClose={form.close} title={title}>
      <LastDayForm {...form} />
    </Dialog>
  );
}

function LastDayForm({ close, ...loaded }: LastDayFormProps) {
  const common = useTexts('common');
  // Edits that started on one version must not overwrite another one.
  const [{ expiresAt, save }] = useState(loaded);
  const { timeZone } = useSite();
  // An end within a day can become that of the day.
  const before = expiresAt === null ? '' : lastDayOf(expiresAt, timeZone);
  const [day, setDay] = useState(before ?? dayOf(expiresAt!, timeZone));
  const [saving, setSaving] = useState(false);
  const submit = useSingleFlight(async () => {
    const end = chosenEnd(day, timeZone, new Date());
    if (end === undefined) return;
    setSaving(true);
    if (await save(end)) close();
    else setSaving(false);
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack>
        <LastDayField day={day} change={setDay} />
        <DialogButtons cancel={close} submit={common('save')} pending={saving} disabled={day === before} />
      </Stack>
    </form>
  );
}
