import { useWindowEvent } from '@mantine/hooks';

interface UndoableAction {
  id: string;
  undo: () => void;
}

/** Actions whose notification offers to undo them, newest first. */
let offered: UndoableAction[] = [];

/** Actions that were sent and not yet answered, newest first. */
let pending: { isUndoRequested: boolean }[] = [];

/**
 * Announces an action that can be undone. Call the result once it has failed, or has succeeded and its undo is shown.
 */
export function beginUndoable(): (succeeded: boolean) => void {
  const action = { isUndoRequested: false };
  pending = [action, ...pending];
  return (succeeded) => {
    pending = pending.filter((each) => each !== action);
    if (succeeded && action.isUndoRequested) offered[0]?.undo();
  };
}

/** Lets the keyboard shortcut undo an action until `withdrawUndo`. */
export function offerUndo(action: UndoableAction): void {
  offered = [action, ...offered];
}

export function withdrawUndo(id: string): void {
  offered = offered.filter((each) => each.id !== id);
}

/** The text field that was edited since it got the focus. */
let editedField: EventTarget | null = null;

/**
 * Undoes the newest action with Ctrl+Z or ⌘Z, once it is answered, except in a text field where someone has typed: there
 * that undoes typing. A field may only have got the focus because the control before it was removed.
 */
export function useUndoKey(): void {
  useWindowEvent('focusin', () => {
    editedField = null;
  });
  useWindowEvent('input', ({ target }) => {
    editedField = target;
  });
  useWindowEvent('keydown', (event) => {
    const { ctrlKey, metaKey, shiftKey, altKey, key, target } = event;
    if (!(ctrlKey || metaKey) || shiftKey || altKey || key.toLowerCase() !== 'z') return;
    if (target instanceof Element && target.matches(':read-write') && target === editedField) return;
    if (pending[0]) pending[0].isUndoRequested = true;
    else if (offered[0]) offered[0].undo();
    else return;
    event.preventDefault();
  });
}
