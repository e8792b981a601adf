import type { Membership } from '@gatehouse/client';
import { dayOf, lastDayOf } from '@gatehouse/contract/time-zones';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { useMembership } from '../../queries/memberships.ts';
import type { Version } from '../../queries/version.ts';
import { useSite } from '../../session/site.ts';
import { Dialog } from '../layout/dialog.tsx';
import { LastDayForm } from './last-day-form.tsx';

interface ChangeFormProps {
  /** Resolves to whether the day was saved. Otherwise the dialog stays open with the input. */
  save: (saved: Version<Membership>, expiresAt: string | null) => Promise<boolean>;
  close: () => void;
}

interface LastDayDialogProps extends ChangeFormProps {
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
      {saved && <ChangeForm saved={saved} {...form} />}
    </Dialog>
  );
}

function ChangeForm({ close, ...loaded }: ChangeFormProps & { saved: Version<Membership> }) {
  const common = useTexts('common');
  // Edits that started on one version must not overwrite another one.
  const [{ saved, save }] = useState(loaded);
  const { expiresAt } = saved.data;
  const { timeZone } = useSite();
  // An end within a day can become that of the day.
  const savedDay = expiresAt === null ? '' : lastDayOf(expiresAt, timeZone);
  return (
    <LastDayForm
      expiresAt={expiresAt}
      day={savedDay ?? dayOf(expiresAt!, timeZone)}
      savedDay={savedDay}
      submit={common('save')}
      save={(end) => save(saved, end)}
      close={close}
    />
  );
}
