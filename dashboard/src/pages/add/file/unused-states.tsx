import { type ProposedReading, usedColumns } from '@gatehouse/member-lists';
import { Group, Stack, Text } from '@mantine/core';
import { Notice } from '../../../components/feedback/notice.tsx';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { passFocusOn } from '../../../hooks/focus.ts';
import { language } from '../../../languages/language.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useColumnName } from './column-values.ts';
import type { FilePart } from './file-part.ts';

const lists = new Intl.ListFormat(language, { type: 'conjunction' });
const fields = ['status', 'paid'] as const;
/** The columns with buttons. Others are chosen where all columns are. */
const maxOffered = 3;

interface UnusedStatesProps extends FilePart {
  columns: readonly number[];
  openFields: () => void;
}

/** Names the columns that seem to say who is suspended or has paid but are not used, because access depends on it. */
export function UnusedStates({ columns, openFields, list, reading, answers, answer }: UnusedStatesProps) {
  const t = useTexts('add');
  const nameOf = useColumnName(list);
  if (columns.length === 0) return null;
  const quoted = (column: number) => t('quoted', { name: nameOf(column) });
  const free = fields.filter((field) => reading.columns[field] === null);
  const use = (field: (typeof fields)[number], column: number) => {
    openFields();
    answer({ ...answers, columns: { ...answers.columns, [field]: column } });
  };
  return (
    <Notice state="attention" role="status" ref={passFocusOn}>
      <Stack gap="xs">
        <Text size="sm">
          {t('unusedStates', { count: columns.length, names: lists.format(columns.map(quoted)) })}
        </Text>
        {columns.slice(0, maxOffered).map((column) => (
          <Group key={column} gap="xs">
            {free.map((field) => (
              <ActionButton
                label={t('useAs', { column: quoted(column), field: t(`field.${field}`) })}
                key={field}
                size="xs"
                onClick={() => use(field, column)}
              />
            ))}
          </Group>
        ))}
      </Stack>
    </Notice>
  );
}

/** The columns about status or payment that are not used. */
export function unusedStates({ reading, statefulColumns }: ProposedReading): number[] {
  const used = usedColumns(reading);
  return statefulColumns.filter((column) => !used.has(column));
}
