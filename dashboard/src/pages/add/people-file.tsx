import { Button, Group, Select, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { Dropzone, type FileWithPath } from '@mantine/dropzone';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { language } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { AddMany } from './add-many.tsx';
import { fileSource } from './import/failed-rows.ts';
import { decode, delimiterOf, guessMapping, peopleOf, readTable, type Table } from './people.ts';
import { fields, type Mapping, unknownColumns } from './people-columns.ts';

const lists = new Intl.ListFormat(language, { type: 'conjunction' });
const mostBytes = 20 * 1024 * 1024;

interface ReadFile {
  readonly name: string;
  readonly table: Table;
  readonly delimiter: string;
  readonly hasHeadings: boolean;
  readonly mapping: Mapping;
}

/** Adds people from a CSV file. */
export function PeopleFile() {
  const t = useTexts('add');
  const [file, setFile] = useState<ReadFile | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  async function take([dropped]: FileWithPath[]): Promise<void> {
    if (!dropped) return;
    // A file may have gone, or be out of reach, since it was chosen.
    const bytes = await dropped.arrayBuffer().catch(() => null);
    const text = bytes && decode(new Uint8Array(bytes));
    if (text === null) return setProblem(t('fileWrong'));
    const table = readTable(text);
    if (table.length === 0) return setProblem(t('fileEmpty'));
    setProblem(null);
    setFile({ name: dropped.name, table, delimiter: delimiterOf(text), ...guessMapping(table) });
  }

  if (file) return <Columns file={file} change={setFile} />;
  return (
    <Stack gap="xs">
      <Dropzone
        onDrop={take}
        onReject={() => setProblem(t('fileWrong'))}
        maxFiles={1}
        multiple={false}
        maxSize={mostBytes}
        inputProps={{ 'aria-label': t('drop') }}
        p="xl"
      >
        <Group justify="center" gap="sm" mih={120}>
          <IconFileSpreadsheet size={32} stroke={1.4} aria-hidden />
          <div>
            <Text fw={500}>{t('drop')}</Text>
            <Text size="sm" c="dimmed">
              {t('dropHelp')}
            </Text>
          </div>
        </Group>
      </Dropzone>
      {problem && (
        <Text c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
    </Stack>
  );
}

interface ColumnsProps {
  file: ReadFile;
  change: (file: ReadFile | null) => void;
}

/** Which column holds what, and what comes of it. */
function Columns({ file, change }: ColumnsProps) {
  const t = useTexts('add');
  const { name, table, hasHeadings, mapping, delimiter } = file;
  const people = useMemo(
    () => (mapping.email === null ? [] : peopleOf(table, hasHeadings, mapping)),
    [table, hasHeadings, mapping],
  );
  const source = useMemo(
    () => fileSource(name, table, hasHeadings, mapping, delimiter),
    [name, table, hasHeadings, mapping, delimiter],
  );
  const unknown = hasHeadings ? unknownColumns(table[0]!.cells, mapping) : [];
  const width = Math.max(...table.slice(0, 100).map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, column) => ({
    value: String(column),
    label: (hasHeadings && table[0]!.cells[column]?.trim()) || t('column', { number: column + 1 }),
  }));
  return (
    <Stack>
      <AddMany people={people} source={source} unsaved clear={() => change(null)}>
        <Group justify="space-between">
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Button variant="default" size="xs" onClick={() => change(null)}>
            {t('otherFile')}
          </Button>
        </Group>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
          {fields.map((field) => (
            <Select
              key={field}
              label={t(`field.${field}`)}
              placeholder={t('noColumn')}
              data={columns}
              value={mapping[field] === null ? null : String(mapping[field])}
              onChange={(column) =>
                change({ ...file, mapping: { ...mapping, [field]: column === null ? null : Number(column) } })
              }
              clearable={field !== 'email'}
              allowDeselect={field !== 'email'}
            />
          ))}
        </SimpleGrid>
        <Switch
          label={t('hasHeadings')}
          checked={hasHeadings}
          onChange={(event) => change({ ...file, hasHeadings: event.currentTarget.checked })}
        />
        {unknown.length > 0 && (
          <Text size="sm" c="dimmed">
            {t('unknownColumns', { count: unknown.length, names: lists.format(unknown) })}
          </Text>
        )}
        {hasHeadings && table.length === 1 && (
          <Text c="var(--mantine-color-error)" role="alert">
            {t('fileHeadingsOnly')}
          </Text>
        )}
        {mapping.email === null && (
          <Text c="var(--mantine-color-error)" role="alert">
            {t('chooseEmail')}
          </Text>
        )}
      </AddMany>
    </Stack>
  );
}
