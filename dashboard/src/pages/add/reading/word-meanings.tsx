import { SegmentedControl, Text } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';
import type { CountedWord } from '../file/column-values.ts';
import classes from './reading.module.css';

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
    <ul className={classes.words}>
      {words.map(({ word, rows, meaning }) => (
        <li key={word}>
          <Text component="span" size="sm">
            {word}{' '}
            <Text component="span" size="xs" c="dimmed">
              {t('count.wordRows', { count: rows })}
            </Text>
          </Text>
          <SegmentedControl
            size="xs"
            aria-label={word}
            value={meaning ?? ''}
            data={meanings.map(({ value, label }) => ({ value: value as string, label }))}
            onChange={(value) => choose(word, value as Meaning)}
          />
        </li>
      ))}
    </ul>
  );
}
