import {
  foldWord,
  type ListReading,
  meaningOf,
  parsePaid,
  type StatusMeaning,
  statusMeanings,
} from '@gatehouse/member-lists';
import { Stack, Text } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { useTexts } from '../../../languages/texts.tsx';
import { useColumnName, wordsOf } from '../file/column-values.ts';
import type { FilePart } from '../file/file-part.ts';
import { WordMeanings } from './word-meanings.tsx';

/** What each word in the column of states means. */
export function StatusWords({ list, reading, answers, answer }: FilePart) {
  const t = useTexts('add');
  const column = reading.columns.status;
  const words = useColumnWords(list, column);
  if (column === null || words === undefined) return null;
  const choose = (word: string, meaning: StatusMeaning) =>
    answer({ ...answers, statusWords: { ...answers.statusWords, [foldWord(word)]: meaning } });
  return (
    <Words list={list} column={column}>
      <WordMeanings
        words={words.map((each) => ({
          ...each,
          meaning: meaningOf<StatusMeaning>(reading.statusWords, each.word),
        }))}
        meanings={statusMeanings.map((value) => ({ value, label: t(`meaning.${value}`) }))}
        choose={choose}
      />
    </Words>
  );
}

/** Whether each word in the column of payments means paying. */
export function PaidWords({ list, reading, answers, answer }: FilePart) {
  const t = useTexts('add');
  const column = reading.columns.paid;
  const words = useColumnWords(list, column);
  if (column === null || words === undefined) return null;
  const meanings = ['yes', 'no'] as const;
  const choose = (word: string, meaning: (typeof meanings)[number]) =>
    answer({ ...answers, paidWords: { ...reading.paidWords, [foldWord(word)]: meaning === 'yes' } });
  const chosen = (word: string): (typeof meanings)[number] | undefined => {
    const isPaid = paidBy(reading, word);
    if (isPaid === undefined) return undefined;
    return isPaid ? 'yes' : 'no';
  };
  return (
    <Words list={list} column={column}>
      <WordMeanings
        words={words.map((each) => ({ ...each, meaning: chosen(each.word) }))}
        meanings={meanings.map((value) => ({ value, label: t(`meaning.${value}`) }))}
        choose={choose}
      />
    </Words>
  );
}

function paidBy({ paidWords }: ListReading, word: string): boolean | undefined {
  return meaningOf(paidWords, word) ?? parsePaid(word);
}

function useColumnWords(list: FilePart['list'], column: number | null) {
  return useMemo(() => (column === null ? undefined : wordsOf(list, column)), [list, column]);
}

function Words({ list, column, children }: { list: FilePart['list']; column: number; children: ReactNode }) {
  const t = useTexts('add');
  const nameOf = useColumnName(list);
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {t('words', { column: nameOf(column) })}
      </Text>
      {children}
    </Stack>
  );
}
