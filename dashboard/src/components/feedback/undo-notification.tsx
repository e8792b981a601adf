import { Box, Button, Group, Kbd, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { shortcut } from '../../format/shortcut.ts';
import { focusFirst } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';

interface UndoNote {
  done: string;
  undo: () => void;
  /** Additional text. */
  children?: ReactNode;
  /** How long it is shown; null if it stays until it is closed. */
  milliseconds?: number | null;
}

const defaultMilliseconds = 8_000;

/** Actions that can be undone with the keyboard shortcut, newest first. */
let notes: { id: string; undo: () => void }[] = [];

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
    if (succeeded && action.isUndoRequested) notes[0]?.undo();
  };
}

/** Reports an action and offers to undo it. */
export function showUndo({ milliseconds = defaultMilliseconds, ...note }: UndoNote): void {
  const hide = () => notifications.hide(id);
  const undo = () => {
    hide();
    note.undo();
  };
  const id = notifications.show({
    autoClose: false,
    withCloseButton: milliseconds === null,
    onClose: () => {
      notes = notes.filter((each) => each.id !== id);
    },
    message: <UndoNote {...note} undo={undo} hide={hide} milliseconds={milliseconds} />,
  });
  notes = [{ id, undo }, ...notes];
}

/** The text field that was edited since it got the focus. */
let editedField: EventTarget | null = null;

/**
 * Undoes the newest action with Ctrl+Z or ⌘Z, once it is answered, except in a text field where somebody has typed: there
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
    else if (notes[0]) notes[0].undo();
    else return;
    event.preventDefault();
  });
}

/** The timer is paused while the pointer or the focus is on the notification. */
function UndoNote({ done, undo, hide, milliseconds, children }: UndoNote & { hide: () => void }) {
  const t = useTexts('common');
  const [busy, setBusy] = useState(false);
  const origin = useRef<EventTarget>(null);
  useEffect(() => {
    if (busy || milliseconds == null) return;
    const timer = setTimeout(hide, milliseconds);
    return () => clearTimeout(timer);
  }, [busy, milliseconds]);
  return (
    <Box
      p={4}
      onMouseEnter={() => setBusy(true)}
      onMouseLeave={() => setBusy(false)}
      onFocus={({ relatedTarget }) => {
        origin.current = relatedTarget;
        setBusy(true);
      }}
      onBlur={() => setBusy(false)}
    >
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text size="sm">{done}</Text>
        <Button
          size="compact-sm"
          variant="light"
          flex="none"
          onClick={() => {
            // The button disappears together with the notification.
            focusFirst(origin.current as Element | null);
            undo();
          }}
          aria-keyshortcuts="Meta+Z Control+Z"
          rightSection={
            <Kbd size="xs" visibleFrom="sm" aria-hidden>
              {shortcut('Z')}
            </Kbd>
          }
        >
          {t('undo')}
        </Button>
      </Group>
      {children}
    </Box>
  );
}
