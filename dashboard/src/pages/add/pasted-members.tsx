import { type MemberDraft, mergeRepeated } from '@gatehouse/member-lists';
import { Stack, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { Problem } from '../../components/layout/hint.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { AddMany } from './add-many.tsx';
import { pastedSource } from './import/failed-rows-file.ts';
import { readText } from './pasted-text.ts';

const maxAddresses = 500;
const typingMilliseconds = 300;
const noDrafts: readonly MemberDraft[] = [];

/** Adds members from any text that contains email addresses. */
export function PastedMembers() {
  const t = useTexts('add');
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text, typingMilliseconds);
  const drafts = useMemo(() => mergeRepeated(readText(settled)), [settled]);
  const count = useMemo(() => drafts.filter(({ address }) => address !== null).length, [drafts]);
  const tooMany = count > maxAddresses;
  return (
    <Stack>
      <AddMany
        drafts={tooMany ? noDrafts : drafts}
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
        {tooMany && <Problem>{t('pasteTooMany', { count })}</Problem>}
        {count === 0 && settled.trim() !== '' && <Text c="dimmed">{t('pasteNone')}</Text>}
      </AddMany>
    </Stack>
  );
}
