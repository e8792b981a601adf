import type { Member, MemberSortField } from '@gatehouse/client';
import { memberSortFields } from '@gatehouse/contract/member-fields';
import { Badge, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import {
  columnVisibilityFeature,
  createColumnHelper,
  type Row,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { MemberName } from '../../../components/members/member-name.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { displayAddress } from '../../../format/addresses/email-address.ts';
import { useTexts } from '../../../languages/texts.tsx';

const features = tableFeatures({ columnVisibilityFeature });
const helper = createColumnHelper<typeof features, Member>();

const columns = helper.columns([
  helper.accessor('displayName', {
    enableHiding: false,
    cell: ({ row }) => <MemberName member={row.original} withEmail />,
  }),
  helper.accessor('email', { cell: ({ getValue }) => displayAddress(getValue()) }),
  helper.accessor('status', { cell: ({ getValue }) => <Status blocked={getValue() === 'blocked'} /> }),
  helper.accessor('paid', { cell: ({ getValue }) => <YesOrNo value={getValue()} /> }),
  helper.accessor('verified', { cell: ({ getValue }) => <YesOrNo value={getValue()} /> }),
  helper.accessor('lastLoginAt', { cell: ({ getValue }) => <Time at={getValue()} /> }),
  helper.accessor('registeredAt', { cell: ({ getValue }) => <Time at={getValue()} /> }),
  helper.accessor('createdAt', { cell: ({ getValue }) => <Time at={getValue()} /> }),
  helper.accessor('updatedAt', { cell: ({ getValue }) => <Time at={getValue()} /> }),
]);

export type MemberColumn = Exclude<keyof Member, 'id'>;
export type MemberTableRow = Row<typeof features, Member>;

/** The sort order for a click on a column heading. */
export function sortOfColumn(column: MemberColumn): MemberSortField | undefined {
  return memberSortFields.find((field) => field === column);
}

const defaults = { email: false, verified: false, registeredAt: false, updatedAt: false };

/** The table of the loaded members, with the columns that were chosen in this browser. */
export function useMemberTable(members: readonly Member[]) {
  const [columnVisibility, setColumnVisibility] = useLocalStorage<Record<string, boolean>>({
    key: 'gatehouse-member-columns',
    defaultValue: defaults,
    getInitialValueInEffect: false,
  });
  return useTable({
    features,
    columns,
    data: members,
    getRowId: ({ id }) => id,
    state: { columnVisibility },
    onColumnVisibilityChange: setColumnVisibility,
  });
}

export type MemberTable = ReturnType<typeof useMemberTable>;

function Status({ blocked }: { blocked: boolean }) {
  const t = useTexts('members');
  if (!blocked) return t('active');
  return (
    <Badge variant="light" color="red">
      {t('blocked')}
    </Badge>
  );
}

function YesOrNo({ value }: { value: boolean | null }) {
  const t = useTexts('members');
  if (value) return t('yes');
  return (
    <Text span inherit c="dimmed">
      {value === null ? '–' : t('no')}
    </Text>
  );
}

function Time({ at }: { at: string | null }) {
  if (at === null)
    return (
      <Text span inherit c="dimmed">
        –
      </Text>
    );
  return <TimeText at={at} />;
}
