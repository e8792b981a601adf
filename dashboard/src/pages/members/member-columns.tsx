import type { Member, MemberSortField } from '@gatehouse/client';
import { Badge, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import {
  columnVisibilityFeature,
  createColumnHelper,
  type Row,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useTexts } from '../../languages/texts.tsx';
import { shownAddress } from '../../parts/address.ts';
import { MemberName } from '../../parts/member-name.tsx';
import { TimeText } from '../../parts/time-text.tsx';

const features = tableFeatures({ columnVisibilityFeature });
const helper = createColumnHelper<typeof features, Member>();

const columns = helper.columns([
  helper.accessor('displayName', {
    enableHiding: false,
    cell: ({ row }) => <MemberName member={row.original} withEmail />,
  }),
  helper.accessor('email', { cell: ({ getValue }) => shownAddress(getValue()) }),
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

/** By what a click on the head of a column sorts. */
export const sortOfColumn: Partial<Record<MemberColumn, MemberSortField>> = {
  displayName: 'displayName',
  email: 'email',
  lastLoginAt: 'lastLoginAt',
  registeredAt: 'registeredAt',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
};

const usual = { email: false, verified: false, registeredAt: false, updatedAt: false };

/** The table of the members that are here, with the columns that were chosen in this browser. */
export function useMemberTable(members: readonly Member[]) {
  const [columnVisibility, setColumnVisibility] = useLocalStorage<Record<string, boolean>>({
    key: 'gatehouse-member-columns',
    defaultValue: usual,
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
