import { dayOf } from '@gatehouse/contract/time-zones';
import { Stack } from '@mantine/core';
import { today, yearAfter } from '../../../format/days.ts';
import { endDay } from '../../../format/ends.ts';
import { useLastDay } from '../../../hooks/use-last-day.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSite } from '../../../session/site.ts';
import { DialogButtons } from '../../forms/dialog-buttons.tsx';
import { Dialog } from '../../layout/dialog.tsx';
import { Hint } from '../../layout/hint.tsx';
import { LastDayChoices } from '../../members/last-day-choices.tsx';
import { LastDayField } from '../../members/membership-fields.tsx';
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
  const from = useLastDayBefore(endedAt);
  const { field, pending, submit } = useLastDay(endedAt === undefined ? '' : yearAfter(from), async (end) => {
    const isAdded = await join(group, end);
    if (isAdded) close();
    return isAdded;
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        {endedAt !== undefined && <Hint>{t('repair.endedOn', { day: endDay(endedAt, timeZone) })}</Hint>}
        <LastDayField {...field} />
        <LastDayChoices from={from} {...field} />
        <DialogButtons
          cancel={close}
          submit={t(endedAt === undefined ? 'repair.add' : 'repair.extend')}
          pending={pending}
        />
      </Stack>
    </form>
  );
}

/** The day from which a year is counted: the last one of a membership, unless the year after it is also over. */
function useLastDayBefore(endedAt: string | undefined): string {
  const { timeZone } = useSite();
  const now = today(timeZone);
  if (endedAt === undefined) return now;
  const last = dayOf(new Date(Date.parse(endedAt) - 1).toISOString(), timeZone);
  return yearAfter(last) > now ? last : now;
}
