import type { Member, MemberSortField } from '@gatehouse/client';
import { memberSortFields } from '@gatehouse/contract/member-fields';
import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';

export type MemberColumn = Exclude<keyof Member, 'id'> | 'groups' | 'expiresAt';

export interface ColumnLayout {
  readonly name: MemberColumn;
  /** In pixels. */
  readonly width: number;
  /** Whether it takes its share of the width that is left. Its `width` is the least. */
  readonly fills?: boolean;
  readonly align?: 'end';
}

/** All columns in their order. Their widths do not depend on what they contain, so that nothing moves when it changes. */
const layouts: readonly ColumnLayout[] = [
  { name: 'displayName', width: 220, fills: true },
  { name: 'email', width: 180, fills: true },
  { name: 'status', width: 104 },
  { name: 'expiresAt', width: 124 },
  { name: 'groups', width: 208 },
  { name: 'paid', width: 84 },
  { name: 'verified', width: 92 },
  { name: 'lastLoginAt', width: 128, align: 'end' },
  { name: 'lastSeenAt', width: 128, align: 'end' },
  { name: 'registeredAt', width: 116, align: 'end' },
  { name: 'createdAt', width: 128, align: 'end' },
  { name: 'updatedAt', width: 128, align: 'end' },
];

/** What is left out first if there is not enough space. */
const leastImportant: readonly MemberColumn[] = [
  'updatedAt',
  'createdAt',
  'registeredAt',
  'lastSeenAt',
  'verified',
  'paid',
  'lastLoginAt',
  'email',
  'groups',
];

/** On a phone, the rows have no headings, which would say what these mean. */
const onPhone: readonly MemberColumn[] = ['displayName', 'status', 'expiresAt', 'groups'];

/** The columns for which there is enough space. */
export function fittingColumns(columns: readonly ColumnLayout[], space: number): ColumnLayout[] {
  let fitting = [...columns];
  for (const least of leastImportant) {
    if (fitting.reduce((sum, { width }) => sum + width, 0) <= space) break;
    fitting = fitting.filter(({ name }) => name !== least);
  }
  return fitting;
}

export function phoneColumns(columns: readonly ColumnLayout[]): ColumnLayout[] {
  return columns.filter(({ name }) => onPhone.includes(name));
}

/** The columns that can be hidden, and whether each is shown to those who have chosen nothing. */
const defaults = {
  email: false,
  groups: true,
  status: true,
  paid: true,
  verified: false,
  lastLoginAt: true,
  lastSeenAt: false,
  registeredAt: false,
  createdAt: true,
  updatedAt: false,
};

export type HidableColumn = keyof typeof defaults;

/** The sort order for a click on a column heading. */
export function sortOfColumn(column: MemberColumn): MemberSortField | undefined {
  return memberSortFields.find((field) => field === column);
}

/** The columns that were chosen in this browser. The end of a membership is only shown for the members of a group. */
export function useColumns(isOfGroup: boolean) {
  const [choice, setChoice] = useLocalStorage<Partial<typeof defaults>>({
    key: 'gatehouse-member-columns',
    defaultValue: noChoice,
    getInitialValueInEffect: false,
  });
  const isShown: Record<MemberColumn, boolean> = {
    ...defaults,
    ...choice,
    displayName: true,
    expiresAt: isOfGroup,
  };
  const names = layouts.filter(({ name }) => isShown[name]).map(({ name }) => name);
  // The same while the same columns are chosen, so that the rows are not rendered again.
  const key = names.join(' ');
  return {
    chosen: useMemo(() => layouts.filter(({ name }) => key.split(' ').includes(name)), [key]),
    choices: layouts
      .filter(({ name }) => name in defaults)
      .map(({ name }) => ({
        name: name as HidableColumn,
        isShown: isShown[name],
        toggle: () => setChoice({ ...choice, [name]: !isShown[name] }),
      })),
  };
}

const noChoice = {};

export type MemberColumns = ReturnType<typeof useColumns>;
