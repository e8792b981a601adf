import { VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { KeyCaps } from '../../components/keyboard/key-hint.tsx';
import { ShortcutSwitch } from '../../components/keyboard/shortcut-switch.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { shortcut } from '../../format/shortcut.ts';
import { keysOf, type Shortcut, shortcutsOf } from '../../hooks/shortcuts/registered.ts';
import { type Texts, useTexts } from '../../languages/texts.tsx';
import classes from './shortcut-sheet.module.css';

type ShownShortcut = Pick<Shortcut, 'keys' | 'name'>;

/** Shortcuts with ⌘ or Ctrl, which cannot be turned off. */
const always: readonly ShownShortcut[] = [
  { keys: 'mod+k', name: 'search' },
  { keys: 'mod+z', name: 'undo' },
];

/** All shortcuts that have an effect on this page. Opens each time `wanted` increases. */
export function ShortcutSheet({ wanted }: { wanted: number }) {
  const t = useTexts('shortcuts');
  const [opened, { open, close }] = useDisclosure();
  const [sections, setSections] = useState(registeredSections);
  useEffect(() => {
    setSections(registeredSections());
    open();
  }, [wanted, open]);
  return (
    <Dialog opened={opened} onClose={close} title={t('title')} size="xl">
      <ShortcutSwitch />
      <div className={classes.sections}>
        {sections.map(({ section, shortcuts }) => (
          <section key={section} aria-labelledby={`shortcuts-${section}`}>
            <h3 id={`shortcuts-${section}`}>{t(`section.${section}`)}</h3>
            <dl>
              {shortcuts.map((shown) => (
                <ShortcutRow key={shown.name} shown={shown} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function ShortcutRow({ shown }: { shown: ShownShortcut }) {
  const t = useTexts('shortcuts');
  const shell = useTexts('shell');
  const { name } = shown;
  return (
    <div>
      <dt>{t.has(name) ? t(name) : shell(name as 'me')}</dt>
      <dd>
        {keysOf(shown).map((keys) => (
          <KeyCaps key={keys} keys={keys} />
        ))}
        <VisuallyHidden>
          {keysOf(shown)
            .map((keys) => spokenKeys(t, keys))
            .join(', ')}
        </VisuallyHidden>
      </dd>
    </div>
  );
}

/** `g m` as screen readers say it: "G then M". */
function spokenKeys(t: Texts<'shortcuts'>, keys: string): string {
  const [first, second] = keys.split(' ').map((key) => spokenKey(t, key));
  return second === undefined ? first! : t('then', { first: first!, second });
}

function spokenKey(t: Texts<'shortcuts'>, pressed: string): string {
  const key = pressed.replace(/^\w+\+/, '');
  const name = `key.${key}`;
  const spoken = t.has(name) ? t(name) : key.toUpperCase();
  if (pressed.startsWith('mod+')) return shortcut(spoken);
  return pressed.startsWith('shift+') ? `${t('key.shift')} ${spoken}` : spoken;
}

/** The sections in the order in which they are shown. What several shortcuts do is listed once, with all their keys. */
function registeredSections() {
  return (['list', 'page', 'app', 'go'] as const)
    .map((section) => {
      const found = [...(section === 'app' ? always : []), ...shortcutsOf(section)];
      const shortcuts = [...Map.groupBy(found, ({ name }) => name)].map(
        ([name, same]): ShownShortcut => ({ name, keys: [...new Set(same.flatMap(keysOf))] }),
      );
      return { section, shortcuts };
    })
    .filter(({ shortcuts }) => shortcuts.length > 0);
}
