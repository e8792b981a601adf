import { MultiSelect, SimpleGrid } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';
import { useColumnName } from '../file/column-values.ts';
import type { FilePart } from '../file/file-part.ts';

/** Further columns with names of groups, and columns that are named after a group. */
export function GroupColumnChoice({ list, reading, answers, answer }: FilePart) {
  const t = useTexts('add');
  const nameOf = useColumnName(list);
  const { columns, nameColumns, groupColumns } = reading;
  const others = list.survey.headings
    .map((_, column) => ({ value: String(column), label: nameOf(column) }))
    .filter(({ value }) => Number(value) !== columns.email);
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <MultiSelect
        label={t('nameColumns')}
        description={t('nameColumnsHelp')}
        data={others}
        value={nameColumns.map(String)}
        onChange={(chosen) => answer({ ...answers, nameColumns: chosen.map(Number) })}
        clearable
      />
      <MultiSelect
        label={t('groupColumns')}
        description={t('groupColumnsHelp')}
        data={others}
        value={groupColumns.map(({ column }) => String(column))}
        onChange={(chosen) => answer({ ...answers, groupColumns: chosen.map(Number) })}
        clearable
      />
    </SimpleGrid>
  );
}
