import { Button, Group, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../languages/texts.tsx';
import { endOfDay, toDay } from './days.ts';
import { LastDayField } from './membership-fields.tsx';
import { useOneAtATime } from './one-at-a-time.ts';

interface LastDayDialogProps {
  title: string;
  /** The end as it is, null for none. */
  expiresAt: string | null;
  /** Answers whether it is saved; what was chosen stays otherwise. */
  save: (expiresAt: string | null) => Promise<boolean>;
  close: () => void;
}

/** Asks for another last day of a membership. */
export function LastDayDialog({ title, expiresAt, save, close }: LastDayDialogProps) {
  const parts = useTexts('parts');
  const before = expiresAt === null ? '' : toDay(new Date(expiresAt));
  const [day, setDay] = useState(before);
  const [saving, setSaving] = useState(false);
  const submit = useOneAtATime(async () => {
    const end = endOfDay(day, new Date());
    if (end === undefined) return;
    setSaving(true);
    if (await save(end)) close();
    else setSaving(false);
  });
  return (
    <Modal opened onClose={close} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Stack>
          <LastDayField day={day} change={setDay} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {parts('cancel')}
            </Button>
            <Button type="submit" disabled={day === before} loading={saving}>
              {parts('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
