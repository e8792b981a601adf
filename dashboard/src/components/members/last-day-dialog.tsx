import { Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { endOfDay, toDay } from '../../format/days.ts';
import { useSingleFlight } from '../../hooks/use-single-flight.ts';
import { useTexts } from '../../languages/texts.tsx';
import { Dialog } from '../layout/dialog.tsx';
import { DialogButtons } from '../layout/dialog-buttons.tsx';
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
  const before = expiresAt === null ? '' : toDay(new Date(expiresAt));
  const [day, setDay] = useState(before);
  const [saving, setSaving] = useState(false);
  const submit = useSingleFlight(async () => {
    const end = endOfDay(day, new Date());
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
