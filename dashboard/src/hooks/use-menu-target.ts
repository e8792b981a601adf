import { type RefObject, useRef } from 'react';

/**
 * For a menu whose items open dialogs: `target` is the ref of the menu button, and `act` wraps the action of an item.
 * A dialog returns the focus to the element that had it, but by then the menu item no longer exists.
 */
export function useMenuTarget(): {
  target: RefObject<HTMLButtonElement | null>;
  act: (action: () => void) => () => void;
} {
  const target = useRef<HTMLButtonElement>(null);
  const act = (action: () => void) => () => {
    target.current?.focus();
    action();
  };
  return { target, act };
}
