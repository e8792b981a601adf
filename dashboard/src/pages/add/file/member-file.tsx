import { type ListAnswers, type ListReading, unusedHeadings } from '@gatehouse/member-lists';
import { Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Problem } from '../../../components/layout/hint.tsx';
import { language } from '../../../languages/language.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { AddMany } from '../add-many.tsx';
import { fileSource } from '../import/failed-rows-file.ts';
import { Questions } from '../questions/questions.tsx';
import { ReadingPanel } from '../reading/reading-panel.tsx';
import { useColumnName } from './column-values.ts';
import type { NamedList } from './file-part.ts';
import { FileSummary } from './file-summary.tsx';
import { UnusedStates, unusedStates } from './unused-states.tsx';
import { useDrafts } from './use-drafts.ts';
import { useSiteOfList } from './use-site-of-list.ts';

const lists = new Intl.ListFormat(language, { type: 'conjunction' });

interface MemberFileProps {
  list: NamedList;
  change: (list: NamedList | null) => void;
}

/** A file of members: what it is, the questions about it, how it is read, and the resulting members. */
export function MemberFile({ list, change }: MemberFileProps) {
  const [answers, answer] = useState<ListAnswers>({});
  const site = useSiteOfList();
  const proposed = useMemo(() => list.survey.propose(answers, site), [list, answers, site]);
  const { reading, questions } = proposed;
  const states = unusedStates(proposed);
  const [isOpen, setOpen] = useState(reading.columns.email === null);
  const { drafts, isReading } = useDrafts(list, reading, site);
  const source = useMemo(() => fileSource(list.name, list), [list]);
  const parts = { list, reading, answers, answer };
  return (
    <Stack>
      <AddMany drafts={drafts} isReading={isReading} source={source} unsaved clear={() => change(null)}>
        <FileSummary {...parts} site={site} chooseOther={() => change(null)} />
        <Questions {...parts} questions={questions} site={site} />
        <ReadingPanel {...parts} change={change} isOpen={isOpen} setOpen={setOpen} />
        <ListNotes list={list} reading={reading} states={states} />
        <UnusedStates {...parts} columns={states} openFields={() => setOpen(true)} />
      </AddMany>
    </Stack>
  );
}

interface ListNotesProps {
  list: NamedList;
  reading: ListReading;
  /** The columns with a note of their own. */
  states: readonly number[];
}

/** Notes about the columns. */
function ListNotes({ list, reading, states }: ListNotesProps) {
  const t = useTexts('add');
  const { rows, hasHeadings, survey } = list;
  const nameOf = useColumnName(list);
  const noted = new Set(states.map((column) => nameOf(column).trim()));
  const names = survey.headings.map((_, column) => nameOf(column));
  const unknown = unusedHeadings(names, reading).filter((heading) => !noted.has(heading));
  return (
    <>
      {unknown.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('unknownColumns', { count: unknown.length, names: lists.format(unknown) })}
        </Text>
      )}
      {hasHeadings && rows.length === 1 && <Problem>{t('fileHeadingsOnly')}</Problem>}
      {reading.columns.email === null && <Problem>{t('chooseEmail')}</Problem>}
    </>
  );
}
