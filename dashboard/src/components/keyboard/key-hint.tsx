import { keyCaps } from '../../format/shortcut.ts';
import { useShortcutsOn } from '../../hooks/shortcuts/shortcut-setting.ts';
import classes from './key-hint.module.css';

/**
 * The keys of a shortcut, beside what they do: `g m`, `e`, `mod+k`. Screen readers do not read them, because they would
 * become part of the name; a button that has a shortcut of one key says so with `aria-keyshortcuts`. Hidden while
 * shortcuts are turned off, except those with ⌘ or Ctrl, which always work.
 */
export function KeyHint({ keys }: { keys: string }) {
  const isOn = useShortcutsOn();
  if (!isOn && !keys.startsWith('mod+')) return null;
  return (
    <span className={classes.hint}>
      <KeyCaps keys={keys} />
    </span>
  );
}

/** What is written on the keys of a shortcut. */
export function KeyCaps({ keys }: { keys: string }) {
  return (
    <span className={classes.keys} aria-hidden>
      {keyCaps(keys).map((cap, index) => (
        <kbd key={index}>{cap}</kbd>
      ))}
    </span>
  );
}
