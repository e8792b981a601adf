import { SegmentedControl, Text } from '@mantine/core';
import { ChoiceList, ChoiceRow } from '../../../components/forms/choice-list.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import type { CountedWord } from '../file/column-values.ts';

interface WordMeaningsProps<Meaning extends string> {
  words: readonly (CountedWord & { readonly meaning: Meaning | undefined })[];
  meanings: readonly { readonly value: Meaning; readonly label: string }[];
  choose: (word: string, meaning: Meaning) => void;
}

/** The words of a column with the number of their rows, and what each means. */
export function WordMeanings<Meaning extends string>({
  words,
  meanings,
  choose,
}: WordMeaningsProps<Meaning>) {
  const t = useTexts('add');
  return (
    <ChoiceList>
      {words.map(({ word, rows, meaning }) => (
        <ChoiceRow
          key={word}
          choice={
            <SegmentedControl
              size="xs"
              aria-label={word}
              value={meaning ?? ''}
              data={meanings.map(({ value, label }) => ({ value: value as string, label }))}
              onChange={(value) => choose(word, value as Meaning)}
            />
          }
        >
          <Text component="span">
            {word}{' '}
            <Text component="span" size="xs" c="dimmed">
              {t('count.wordRows', { count: rows })}
            </Text>
          </Text>
        </ChoiceRow>
      ))}
    </ChoiceList>
  );
}
