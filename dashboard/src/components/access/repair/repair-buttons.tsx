import type { MemberWithGroups } from '@gatehouse/client';
import { Group } from '@mantine/core';
import { useState } from 'react';
import { displayAddress } from '../../../format/addresses/email-address.ts';
import { passFocusOn } from '../../../hooks/focus.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useMay } from '../../../session/site.ts';
import { IconCalendar, IconCoin, IconLockOpen2, IconPlus } from '../../icons/icons.ts';
import { ActionButton, QuietButton } from '../../layout/action-button.tsx';
import { JoinDialog } from './join-dialog.tsx';
import { keyOf, type Repair } from './repairs.ts';
import { useRepairing } from './use-repairing.ts';

interface RepairButtonsProps {
  repairs: readonly Repair[];
  member: MemberWithGroups;
  /** Whether they are in the row of a table, below other text. */
  isInRow?: boolean;
}

/** What gives a member the access that is denied, as far as the operator may do it. */
export function RepairButtons({ repairs, member, isInRow = false }: RepairButtonsProps) {
  const permitted = usePermitted(repairs);
  const { unblock, markPaid, join } = useRepairing(member);
  const [joining, setJoining] = useState<Extract<Repair, { type: 'join' }> | null>(null);
  const { displayName, email } = member;

  function start(repair: Repair): void {
    if (repair.type === 'join') setJoining(repair);
    else void (repair.type === 'unblock' ? unblock() : markPaid());
  }

  return (
    <>
      {permitted.length > 0 && (
        <Group gap={isInRow ? 0 : 'xs'} display={isInRow ? 'inline-flex' : 'flex'} ref={passFocusOn}>
          {permitted.map((repair) => (
            <RepairButton key={keyOf(repair)} repair={repair} isInRow={isInRow} start={() => start(repair)} />
          ))}
        </Group>
      )}
      <JoinDialog
        joining={joining}
        name={displayName ?? displayAddress(email)}
        close={() => setJoining(null)}
        join={join}
      />
    </>
  );
}

const icons = { unblock: IconLockOpen2, markPaid: IconCoin, addTo: IconPlus, extendIn: IconCalendar };

function RepairButton({ repair, isInRow, start }: { repair: Repair; isInRow: boolean; start: () => void }) {
  const t = useTexts('access');
  const name = nameOf(repair);
  const label = t(`repair.${name}`, { group: repair.type === 'join' ? repair.group.name : '' });
  if (isInRow) return <QuietButton label={label} onClick={start} />;
  return <ActionButton size="xs" icon={icons[name]} label={label} onClick={start} />;
}

function nameOf(repair: Repair): keyof typeof icons {
  if (repair.type === 'join') return repair.endedAt === undefined ? 'addTo' : 'extendIn';
  return repair.type === 'unblock' ? 'unblock' : 'markPaid';
}

function usePermitted(repairs: readonly Repair[]): Repair[] {
  const may = {
    unblock: useMay('members:block'),
    mark_paid: useMay('members:write'),
    join: useMay('access-groups:write'),
  };
  return repairs.filter(({ type }) => may[type]);
}
