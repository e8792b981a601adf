import type { Membership } from '@gatehouse/client';
import { dayOf, lastDayOf } from '@gatehouse/contract/time-zones';
import { Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLastDay } from '../../hooks/use-last-day.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useMembership } from '../../queries/memberships.ts';
import type { Version } from '../../queries/version.ts';
import { useSite } from '../../session/site.ts';
import { DialogButtons } from '../forms/dialog-buttons.tsx';
import { Dialog } from '../layout/dialog.tsx';
import { LastDayField } from './membership-fields.tsx';

interface LastDayFormProps {
  /** Resolves to whether the day was saved. Otherwise the dialog stays open with the input. */
  save: (saved: Version<Membership>, expiresAt: string | null) => Promise<boolean>;
  close: () => void;
}

interface LastDayDialogProps extends LastDayFormProps {
  /** The membership that is changed; one of them is undefined while none is. */
  memberId: string | undefined;
  groupId: string | undefined;
  title: ReactNode;
}

/** Asks for a new last day of a membership. */
export function LastDayDialog({ memberId, groupId, title, ...form }: LastDayDialogProps) {
  const saved = useMembership(memberId, groupId);
  return (
    <Dialog opened={saved !== undefined} onClose={form.close} title={title}>
      {saved && <LastDayForm saved={saved} {...form} />}
    </Dialog>
  );
}

function LastDayForm({ close, ...loaded }: LastDayFormProps & { saved: Version<Membership> }) {
  const common = useTexts('common');
  // Edits that started on one version must not overwrite another one.
  const [{ saved, save }] = useState(loaded);
  const { expiresAt } = saved.data;
  const { timeZone } = useSite();
  // An end within a day can become that of the day.
  const before = expiresAt === null ? '' : lastDayOf(expiresAt, timeZone);
  const { field, pending, submit } = useLastDay(before ?? dayOf(expiresAt!, timeZone), async (end) => {
    const isSaved = await save(saved, end);
    if (isSaved) close();
    return isSaved;
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <LastDayField {...field} />
        <DialogButtons
          cancel={close}
          submit={common('save')}
          pending={pending}
          disabled={field.day === before}
        />
      </Stack>
    </form>
  );
}
