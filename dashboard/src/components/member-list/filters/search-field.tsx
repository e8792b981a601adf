import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../../../hooks/shortcuts/use-shortcuts.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { toQuery } from '../../../queries/search.ts';
import { IconSearch } from '../../icons/icons.ts';
import { KeyHint } from '../../keyboard/key-hint.tsx';

interface SearchFieldProps {
  query: string;
  change: (query: string | undefined) => void;
}

const typingMilliseconds = 150;

/** Delays changes until typing pauses, so that the rows are not rendered for each key. */
export function SearchField({ query, change }: SearchFieldProps) {
  const t = useTexts('members');
  const [typed, setTyped] = useState(query);
  const sent = useRef(query);
  const field = useRef<HTMLInputElement>(null);
  const send = useDebouncedCallback((text: string) => {
    sent.current = toQuery(text) ?? '';
    change(toQuery(text));
  }, typingMilliseconds);
  // The operator went back, or cleared the search elsewhere.
  useEffect(() => {
    if (query === sent.current) return;
    sent.current = query;
    setTyped(query);
  }, [query]);

  useShortcuts([{ keys: '/', name: 'searchPage', run: () => field.current?.focus() }], 'page');

  function type(text: string): void {
    setTyped(text);
    send(text);
  }

  function clear(): void {
    type('');
    field.current?.focus();
  }

  return (
    <TextInput
      ref={field}
      flex="1 1 14rem"
      size="xs"
      type="text"
      role="searchbox"
      placeholder={t('search')}
      aria-label={t('search')}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && typed !== '') type('');
      }}
      rightSection={
        typed === '' ? (
          <KeyHint keys="/" />
        ) : (
          <CloseButton size="sm" aria-label={t('clearSearch')} onClick={clear} />
        )
      }
    />
  );
}
