import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight';
import { useEffect, useRef, useState } from 'react';
import { IconSearch } from '../../components/icons/icons.ts';
import { KeyHint } from '../../components/keyboard/key-hint.tsx';
import { focusFirst } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import classes from './search.module.css';
import { type SearchSection, useSearchSections } from './sections.ts';

const [store, { open }] = createSpotlight();

/** Finds pages, members, groups and sites by name, and runs actions. Opens each time `wanted` increases. */
export function Search({ wanted }: { wanted: number }) {
  const t = useTexts('shell');
  const [query, setQuery] = useState('');
  const { opened } = useSpotlight(store);
  const sections = useSearchSections(query, opened);
  const opener = useRef<Element>(null);
  useEffect(() => {
    opener.current = document.activeElement;
    open();
  }, [wanted]);
  useFirstSelected(
    [opened, query, ...sections.flatMap(({ entries }) => entries.map(({ key }) => key))].join(),
  );

  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      clearQueryOnClose
      // At the top, so that it does not move with the number of results.
      centered={false}
      scrollable
      // During the closing animation, it could not be opened again.
      transitionProps={{ duration: 0 }}
      maxHeight={420}
      // Mantine fades it at the point where its color is strongest.
      styles={{ actionDescription: { opacity: 1 } }}
      attributes={{ content: { 'aria-label': t('search') } }}
    >
      <Spotlight.Search
        placeholder={t('search')}
        aria-label={t('search')}
        leftSection={<IconSearch size={18} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {sections.map((section) => (
          <Section
            key={section.heading}
            {...section}
            leave={() => focusFirst(opener.current)}
            type={setQuery}
          />
        ))}
        {sections.length === 0 && <Spotlight.Empty>{t('nothingFound')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

interface SectionProps extends SearchSection {
  /** Returns the focus first, because a dialog opened by an action returns it to the same element later. */
  leave: () => void;
  /** Replaces what is typed. */
  type: (text: string) => void;
}

function Section({ heading, entries, leave, type }: SectionProps) {
  return (
    <Spotlight.ActionsGroup className={classes.section!} role="group" aria-label={heading}>
      <p className={classes.heading} aria-hidden>
        {heading}
      </p>
      {entries.map(({ key, label, description, icon: Icon, keys, run, begins }) => (
        <Spotlight.Action
          key={key}
          label={label}
          {...(description && { description })}
          leftSection={<Icon size={18} aria-hidden />}
          rightSection={keys && <KeyHint keys={keys} />}
          closeSpotlightOnTrigger={begins === undefined}
          onClick={() => {
            if (begins !== undefined) return type(begins);
            leave();
            run();
          }}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}

/** Selects the first result, so that Enter opens it. */
function useFirstSelected(found: string): void {
  useEffect(() => {
    const list = document.getElementById(store.getState().listId);
    const first = list?.querySelector('[data-action]');
    if (!first) return;
    list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
    first.setAttribute('data-selected', 'true');
    store.updateState((state) => ({ ...state, selected: 0 }));
  }, [found]);
}
