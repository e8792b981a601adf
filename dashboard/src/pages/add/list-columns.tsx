import {
  draftsOf,
  type Field,
  fields,
  type ListAnswers,
  type ListReading,
  type MemberDraft,
  unite,
  unusedHeadings,
  withHeadings,
} from '@gatehouse/member-lists';
import { Button, Group, Select, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { passFocusOn } from '../../hooks/focus.ts';
import { language } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSite } from '../../session/site.ts';
import { AddMany } from './add-many.tsx';
import { fileSource } from './import/failed-rows-file.ts';
import type { NamedList } from './list-file.tsx';

const lists = new Intl.ListFormat(language, { type: 'conjunction' });
const noDrafts: readonly MemberDraft[] = [];

interface ListColumnsProps {
  list: NamedList;
  change: (list: NamedList | null) => void;
}

/** The assignment of columns to fields, and the resulting drafts. */
export function ListColumns({ list, change }: ListColumnsProps) {
  const t = useTexts('add');
  const { timeZone } = useSite();
  const [answers, setAnswers] = useState<ListAnswers>({});
  const { reading } = useMemo(
    () => list.survey.propose(answers, { timeZone, groupNames: new Set() }),
    [list, answers, timeZone],
  );
  const drafts = useMemo(
    () => (reading.columns.email === null ? noDrafts : unite(draftsOf(list, reading, { now: new Date() }))),
    [list, reading],
  );
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
        <ColumnChoice list={list} reading={reading} answers={answers} answer={setAnswers} />
        <Switch
          label={t('hasHeadings')}
          checked={list.hasHeadings}
          onChange={(event) => change({ ...list, ...withHeadings(list, event.currentTarget.checked) })}
        />
        <ListNotes list={list} reading={reading} />
      </AddMany>
    </Stack>
  );
}

interface ColumnChoiceProps {
  list: NamedList;
  reading: ListReading;
  answers: ListAnswers;
  answer: (answers: ListAnswers) => void;
}

function ColumnChoice({ list, reading: { columns }, answers, answer }: ColumnChoiceProps) {
  const t = useTexts('add');
  const data = list.survey.headings.map((heading, column) => ({
    value: String(column),
    label: list.hasHeadings ? heading : t('column', { number: column + 1 }),
  }));
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

/** Notes about the columns. */
function ListNotes({ list, reading }: { list: NamedList; reading: ListReading }) {
  const t = useTexts('add');
  const { rows, hasHeadings, survey } = list;
  const { columns } = reading;
  const unknown = hasHeadings ? unusedHeadings(survey.headings, reading) : [];
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
