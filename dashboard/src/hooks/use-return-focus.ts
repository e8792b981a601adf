import { useEffect } from 'react';
import { focusFirst } from './focus.ts';

/**
 * Returns the focus when a dialog closes: to the element that had it, or to the page if that element is gone. Unlike
 * Mantine, it does so immediately, because the next action may remove that element or open another dialog.
 */
export function useReturnFocus(opened: boolean): void {
  useEffect(() => {
    if (!opened) return;
    const opener = document.activeElement;
    return () => focusFirst(opener);
  }, [opened]);
}
