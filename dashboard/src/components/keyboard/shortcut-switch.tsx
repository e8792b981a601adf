import { Switch } from '@mantine/core';
import { shortcut } from '../../format/shortcut.ts';
import { turnShortcuts, useShortcutsOn } from '../../hooks/shortcuts/shortcut-setting.ts';
import { useTexts } from '../../languages/texts.tsx';

/** Turns the shortcuts of single keys off and on in this browser. */
export function ShortcutSwitch() {
  const t = useTexts('shortcuts');
  return (
    <Switch
      label={t('turnOn')}
      description={t('turnOnHelp', { key: shortcut('').trim() })}
      checked={useShortcutsOn()}
      onChange={(event) => turnShortcuts(event.currentTarget.checked)}
    />
  );
}
