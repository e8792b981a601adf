import { type Field, fields } from '@gatehouse/member-lists';
import { Select, SimpleGrid } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';
import { useColumnName } from '../file/column-values.ts';
import type { FilePart } from '../file/file-part.ts';

/** The column of each field. */
export function ColumnChoice({ list, reading: { columns }, answers, answer }: FilePart) {
  const t = useTexts('add');
  const nameOf = useColumnName(list);
  const data = list.survey.headings.map((_, column) => ({ value: String(column), label: nameOf(column) }));
  const choose = (field: Field, column: string | null) =>
    answer({
      ...answers,
      columns: { ...answers.columns, [field]: column === null ? null : Number(column) },
    });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      {fields.map((field) => (
        <Select
          key={field}
          label={t(`field.${field}`)}
          placeholder={t('noColumn')}
          data={data}
          value={columns[field] === null ? null : String(columns[field])}
          onChange={(column) => choose(field, column)}
          clearable={field !== 'email'}
          allowDeselect={field !== 'email'}
        />
      ))}
    </SimpleGrid>
  );
}
