import type { Member } from '@gatehouse/client';
import { Checkbox, Skeleton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type MouseEvent, memo, use } from 'react';
import { displayAddress } from '../../../format/addresses/email-address.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { MemberListContext } from '../../../queries/member-list.ts';
import { useSite } from '../../../session/site.ts';
import { IconUserMinus } from '../../icons/icons.ts';
import { IconAction } from '../../layout/icon-action.tsx';
import { DataCell, DataRow } from '../../tables/data-table.tsx';
import type { MembersSearch } from '../members-search.ts';
import type { ColumnLayout } from './columns.ts';
import { MemberCell } from './member-cell.tsx';
import type { MemberGroups } from './member-groups.ts';

/** The group whose members are listed, and what can be done to a membership. */
export interface ListedGroup {
  readonly id: string;
  readonly name: string;
  /** Undefined if the operator may not change its members. */
  readonly actions: Record<'changeEnd' | 'remove', (member: Member) => void> | undefined;
}

interface MemberRowProps {
  index: number;
  measure: (element: HTMLTableRowElement | null) => void;
  member: Member;
  groups: MemberGroups | undefined;
  group: ListedGroup | undefined;
  search: MembersSearch;
  columns: readonly ColumnLayout[];
  isActive: boolean;
  isSelected: boolean;
  /** Selects or deselects the member, with `withRange` also those from the last one that was. */
  toggle: (memberId: string, withRange: boolean) => void;
}

/** A member in the table. */
export const MemberRow = memo(function MemberRow(props: MemberRowProps) {
  const { index, measure, member, groups, group, search, columns, isActive, isSelected, toggle } = props;
  const { slug } = useSite();
  const navigate = useNavigate();
  const memberList = use(MemberListContext);
  return (
    <DataRow
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      isActive={isActive}
      isSelected={isSelected}
      onOpen={() => {
        const params = { site: slug, memberId: member.id };
        void navigate({ to: '/$site/members/$memberId', params, state: { memberList } });
      }}
    >
      <Tick member={member} isSelected={isSelected} toggle={toggle} />
      {columns.map(({ name, align }) => (
        <DataCell key={name} align={align}>
          <MemberCell
            column={name}
            member={member}
            groups={groups}
            groupId={group?.id}
            search={search}
            changeEnd={group?.actions?.changeEnd}
          />
        </DataCell>
      ))}
      {group?.actions && <Removal member={member} remove={group.actions.remove} />}
    </DataRow>
  );
});

function Tick({ member, isSelected, toggle }: Pick<MemberRowProps, 'member' | 'isSelected' | 'toggle'>) {
  const t = useTexts('members');
  return (
    <DataCell holds="tick" onMouseDown={pressWithShift}>
      <Checkbox
        size="xs"
        aria-label={t('select', { name: nameOf(member) })}
        checked={isSelected}
        onChange={(event) => toggle(member.id, (event.nativeEvent as globalThis.MouseEvent).shiftKey)}
      />
    </DataCell>
  );
}

/** With Shift, a press would also select the text of the rows between. */
function pressWithShift(event: MouseEvent): void {
  if (!event.shiftKey) return;
  event.preventDefault();
  event.currentTarget.querySelector('input')?.focus({ preventScroll: true });
}

function Removal({ member, remove }: { member: Member; remove: (member: Member) => void }) {
  const t = useTexts('members');
  const label = t('removeOne', { member: nameOf(member) });
  return (
    <DataCell holds="actions">
      <IconAction
        icon={IconUserMinus}
        c="dimmed"
        label={label}
        title={label}
        onClick={() => remove(member)}
      />
    </DataCell>
  );
}

/** A row that is not loaded yet. */
export function LoadingRow({
  index,
  measure,
  width,
}: Pick<MemberRowProps, 'index' | 'measure'> & { width: number }) {
  return (
    <DataRow data-index={index} ref={measure}>
      <DataCell colSpan={width}>
        <Skeleton height={14} width="60%" />
      </DataCell>
    </DataRow>
  );
}

function nameOf({ displayName, email }: Member): string {
  return displayName ?? displayAddress(email);
}
