import { foldWord, type StatusMeaning, statusMeanings } from '@gatehouse/member-lists';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Question } from '../../../components/forms/question.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useColumnName } from '../file/column-values.ts';
import { WordMeanings } from '../reading/word-meanings.tsx';
import type { QuestionProps } from './question-props.ts';

/** What the words in the column of states mean for members. */
export function StatusQuestion({ question, list, reading, answers, answer }: QuestionProps<'statusWords'>) {
  const t = useTexts('add');
  const nameOf = useColumnName(list);
  const [chosen, setChosen] = useState<Readonly<Record<string, StatusMeaning>>>({});
  const meaningOf = ({ word, suggestion }: (typeof question.words)[number]) =>
    chosen[foldWord(word)] ?? suggestion;
  const apply = () => {
    const meanings = question.words.map((word) => [foldWord(word.word), meaningOf(word)]);
    answer({ ...answers, statusWords: { ...answers.statusWords, ...Object.fromEntries(meanings) } });
  };
  const { status } = reading.columns;
  return (
    <Question
      title={t('question.statusWords', { column: status === null ? t('field.status') : nameOf(status) })}
      help={t('question.statusWordsHelp')}
    >
      <WordMeanings
        words={question.words.map((word) => ({ ...word, meaning: meaningOf(word) }))}
        meanings={statusMeanings.map((value) => ({ value, label: t(`meaning.${value}`) }))}
        choose={(word, meaning) => setChosen({ ...chosen, [foldWord(word)]: meaning })}
      />
      <Group>
        <Button size="xs" onClick={apply}>
          {t('useMeanings')}
        </Button>
      </Group>
    </Question>
  );
}
