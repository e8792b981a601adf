import { type Field, fields, type ListReading } from '@gatehouse/member-lists';
import { Fact, Facts } from '../../../components/tables/facts.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useColumnName } from '../file/column-values.ts';
import type { FilePart } from '../file/file-part.ts';
import { useSeparatorName } from './separator-name.ts';

/** How the list is read, in short. */
export function ReadingFacts({ list, reading }: Pick<FilePart, 'list' | 'reading'>) {
  const t = useTexts('add');
  const nameOf = useColumnName(list);
  const heading = (column: number) => t('quoted', { name: nameOf(column) });
  const separatorName = useSeparatorName();
  const { columns, groupSeparator, dateOrder, timeZone, clockTimeZone } = reading;
  const further = furtherColumns(reading);
  const facts = fields.flatMap((field): [string, string][] => {
    const used = [columns[field], ...(further[field] ?? [])].filter((column) => column !== null);
    return used.length === 0 ? [] : [[t(`field.${field}`), used.map(heading).join(' · ')]];
  });
  if (hasGroupNames(reading) && groupSeparator !== null)
    facts.push([t('separator'), separatorName(groupSeparator)]);
  if (hasDates(reading)) {
    if (dateOrder !== null) facts.push([t('dateOrder'), t(`dateOrder.${dateOrder}`)]);
    facts.push([t('timeZone'), timeZone]);
    if (clockTimeZone !== timeZone) facts.push([t('clockTimeZone'), clockTimeZone]);
  }
  return (
    <Facts inLines>
      {facts.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </Facts>
  );
}

/** The columns of fields that have several. */
function furtherColumns(reading: ListReading): Partial<Record<Field, readonly number[]>> {
  const { nameColumns, groupColumns, furtherEndColumns, stateColumns } = reading;
  return {
    status: stateColumns.map(({ column }) => column),
    groups: [...nameColumns, ...groupColumns.map(({ column }) => column)],
    groupsEndAt: furtherEndColumns,
  };
}

/** Whether some cells have names of groups. */
export function hasGroupNames({ columns, nameColumns }: ListReading): boolean {
  return columns.groups !== null || nameColumns.length > 0;
}

export function hasDates({ columns }: ListReading): boolean {
  return columns.registeredAt !== null || columns.groupsEndAt !== null;
}
