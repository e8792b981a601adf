import { startOfFurtherYear, yearAfter } from '../../../format/days.ts';
import { endDay } from '../../../format/ends.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSite } from '../../../session/site.ts';
import { Dialog } from '../../layout/dialog.tsx';
import { Hint } from '../../layout/hint.tsx';
import { LastDayForm } from '../../members/last-day-form.tsx';
import type { Repair } from './repairs.ts';

type Joining = Extract<Repair, { type: 'join' }>;

interface JoinFormProps {
  name: string;
  joining: Joining;
  close: () => void;
  /** Resolves to whether the member was added. */
  join: (group: Joining['group'], expiresAt: string | null) => Promise<boolean>;
}

/** Adds a member to a group, or extends a membership that has ended. */
export function JoinDialog({
  joining,
  ...form
}: Omit<JoinFormProps, 'joining'> & { joining: Joining | null }) {
  const t = useTexts('access');
  const text = joining?.endedAt === undefined ? 'repair.addTitle' : 'repair.extendTitle';
  return (
    <Dialog
      opened={joining !== null}
      onClose={form.close}
      title={joining && t(text, { name: form.name, group: joining.group.name })}
    >
      {joining && <JoinForm joining={joining} {...form} />}
    </Dialog>
  );
}

function JoinForm({ joining: { group, endedAt }, close, join }: JoinFormProps) {
  const t = useTexts('access');
  const { timeZone } = useSite();
  const isNew = endedAt === undefined;
  return (
    <LastDayForm
      expiresAt={endedAt}
      day={isNew ? '' : yearAfter(startOfFurtherYear(endedAt, timeZone))}
      submit={t(isNew ? 'repair.add' : 'repair.extend')}
      save={(end) => join(group, end)}
      close={close}
    >
      {!isNew && <Hint>{t('repair.endedOn', { day: endDay(endedAt, timeZone) })}</Hint>}
    </LastDayForm>
  );
}
