import { useEffect } from 'react';
import { returnFocusLater } from './focus.ts';

/**
 * Returns the focus when a dialog closes: to the element that had it, or near it if that element is gone. Unlike
 * Mantine, it does so immediately, because the next action may remove that element or open another dialog.
 */
export function useReturnFocus(opened: boolean): void {
  useEffect(() => (opened ? returnFocusLater() : undefined), [opened]);
}
