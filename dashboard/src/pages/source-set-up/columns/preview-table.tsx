import type { CollectionColumns, CollectionPreview } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { ScrollingTable } from '../../../components/tables/scrolling-table.tsx';
import { useTexts } from '../../../languages/texts.tsx';

interface PreviewTableProps {
  preview: CollectionPreview;
  columns: CollectionColumns;
}

const meanings = ['email', 'displayName', 'lastName', 'paid', 'groups'] as const;
/** The meanings of lists, which have the names of their fields. */
const listMeanings = ['firstName', 'status', 'groupsEndAt'] as const;

/** The first rows of a collection. The headings say what each column is used for. */
export function PreviewTable({ preview, columns }: PreviewTableProps) {
  const t = useTexts('sources');
  const { furtherGroups = [], groupColumns = [] } = columns;
  const groups = new Set([...furtherGroups, ...groupColumns]);
  const meaningsOf = (key: string) => [
    ...meanings.filter((meaning) => columns[meaning] === key).map((meaning) => t(`meaning.${meaning}`)),
    ...listMeanings.filter((meaning) => columns[meaning] === key).map((meaning) => t(`column.${meaning}`)),
    ...(groups.has(key) ? [t('meaning.groups')] : []),
  ];
  return (
    <div>
      <ScrollingTable label={t('preview')}>
        <thead>
          <tr>
            {preview.columns.map(({ key, name }) => (
              <th key={key}>
                {name}
                <Text component="span" display="block" c="bright" inherit>
                  {meaningsOf(key).join(', ')}
                </Text>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.rows.map((row, index) => (
            <tr key={index}>
              {preview.columns.map(({ key }, column) => (
                <td key={key}>{row[column]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </ScrollingTable>
      <Text size="xs" c="dimmed" mt={4}>
        {preview.rows.length === 0 ? t('noRows') : t('firstRows', { count: preview.rows.length })}
      </Text>
    </div>
  );
}
