import {
  draftsOf,
  type Field,
  fields,
  headingsOf,
  type MemberDraft,
  unknownHeadings,
} from '@gatehouse/member-lists';
import { Button, Group, Select, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { useMemo } from 'react';
import { passFocusOn } from '../../hooks/focus.ts';
import { language } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { AddMany } from './add-many.tsx';
import { fileSource } from './import/failed-rows-file.ts';
import type { NamedList } from './list-file.tsx';

const lists = new Intl.ListFormat(language, { type: 'conjunction' });
const noDrafts: readonly MemberDraft[] = [];
/** The number of rows that are checked to find the number of columns. */
const sampledRows = 100;

interface ListColumnsProps {
  list: NamedList;
  change: (list: NamedList | null) => void;
}

/** The assignment of columns to fields, and the resulting drafts. */
export function ListColumns({ list, change }: ListColumnsProps) {
  const t = useTexts('add');
  const drafts = useMemo(() => (list.columns.email === null ? noDrafts : draftsOf(list, new Date())), [list]);
  const source = useMemo(() => fileSource(list.name, list), [list]);
  return (
    <Stack>
      <AddMany drafts={drafts} source={source} unsaved clear={() => change(null)}>
        <Group justify="space-between">
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {list.name}
          </Text>
          <Button variant="default" size="xs" onClick={() => change(null)} ref={passFocusOn}>
            {t('otherFile')}
          </Button>
        </Group>
        <ColumnChoice list={list} change={change} />
        <Switch
          label={t('hasHeadings')}
          checked={list.hasHeadings}
          onChange={(event) => change({ ...list, hasHeadings: event.currentTarget.checked })}
        />
        <ListNotes list={list} />
      </AddMany>
    </Stack>
  );
}

function ColumnChoice({ list, change }: ListColumnsProps) {
  const t = useTexts('add');
  const { rows, hasHeadings, columns } = list;
  const width = Math.max(...rows.slice(0, sampledRows).map(({ cells }) => cells.length));
  const headings = hasHeadings ? headingsOf(list) : [];
  const data = Array.from({ length: width }, (_, column) => ({
    value: String(column),
    label: headings[column] || t('column', { number: column + 1 }),
  }));
  const choose = (field: Field, column: string | null) =>
    change({ ...list, columns: { ...columns, [field]: column === null ? null : Number(column) } });
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

/** Notes about the columns. */
function ListNotes({ list }: { list: NamedList }) {
  const t = useTexts('add');
  const { rows, hasHeadings, columns } = list;
  const unknown = hasHeadings ? unknownHeadings(headingsOf(list), columns) : [];
  return (
    <>
      {unknown.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('unknownColumns', { count: unknown.length, names: lists.format(unknown) })}
        </Text>
      )}
      {hasHeadings && rows.length === 1 && (
        <Text c="var(--mantine-color-error)" role="alert">
          {t('fileHeadingsOnly')}
        </Text>
      )}
      {columns.email === null && (
        <Text c="var(--mantine-color-error)" role="alert">
          {t('chooseEmail')}
        </Text>
      )}
    </>
  );
}
