import { Stack, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { AddMany } from './add-many.tsx';
import { pastedSource } from './import/failed-rows.ts';
import { readText } from './pasted-text.ts';
import { isEmail, type Person } from './people.ts';

const mostAddresses = 500;
const typingMilliseconds = 300;
const nobody: readonly Person[] = [];

/** Adds people from a text with addresses, in whatever disorder. */
export function PastedPeople() {
  const t = useTexts('add');
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text, typingMilliseconds);
  const people = useMemo(() => readText(settled), [settled]);
  const count = useMemo(() => people.filter(({ email }) => isEmail(email)).length, [people]);
  const tooMany = count > mostAddresses;
  return (
    <Stack>
      <AddMany
        people={tooMany ? nobody : people}
        source={pastedSource}
        unsaved={text.trim() !== ''}
        clear={() => setText('')}
      >
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
        {tooMany && (
          <Text c="var(--mantine-color-error)" role="alert">
            {t('pasteTooMany', { count })}
          </Text>
        )}
        {count === 0 && settled.trim() !== '' && <Text c="dimmed">{t('pasteNone')}</Text>}
      </AddMany>
    </Stack>
  );
}
