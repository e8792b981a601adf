import { useEffect, useRef } from 'react';
import { registerShortcuts, type Shortcut, type ShortcutSection } from './registered.ts';

/**
 * Registers shortcuts of single keys and sequences (`g m`) while the component is shown. They have no effect while
 * something is typed, with Ctrl, Alt or ⌘, or in a dialog; those of the section `dialog` work only in dialogs. The sheet
 * (`?`) lists them under their section.
 */
export function useShortcuts(shortcuts: readonly Shortcut[], section: ShortcutSection): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => registerShortcuts({ section, shortcuts: () => latest.current }), [section]);
}
