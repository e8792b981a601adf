import { Stack, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { readText } from './people.ts';
import { Preview } from './preview.tsx';

const mostAddresses = 500;
const typingMilliseconds = 300;

/** Adds people from a text with addresses, in whatever disorder. */
export function PastedPeople() {
  const t = useTexts('add');
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text, typingMilliseconds);
  const people = useMemo(() => readText(settled), [settled]);
  return (
    <Stack>
      <Textarea
        label={t('pasteLabel')}
        description={t('pasteHelp')}
        placeholder={'Ada Lovelace <ada@example.com>\ngrace@example.com, alan@example.com'}
        autosize
        minRows={6}
        maxRows={16}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {people.length > mostAddresses ? (
        <Text c="red.8" role="alert">
          {t('pasteTooMany', { count: people.length })}
        </Text>
      ) : (
        people.length > 0 && <Preview people={people} done={() => setText('')} />
      )}
    </Stack>
  );
}
