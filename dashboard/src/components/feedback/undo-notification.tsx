import { Box, Button, Group, Kbd, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { shortcut } from '../../format/shortcut.ts';
import { focusFirst } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import { offerUndo, withdrawUndo } from './undoable-actions.ts';

interface UndoNote {
  done: string;
  undo: () => void;
  /** Additional text. */
  children?: ReactNode;
  /** How long it is shown; null if it stays until it is closed. */
  milliseconds?: number | null;
  /**
   * For a caller that hides it itself: whether the pointer or the focus is on it, while it has to stay. It then has no
   * time of its own.
   */
  onHold?: (isHeld: boolean) => void;
}

const defaultMilliseconds = 8_000;

/** Reports an action and offers to undo it. Returns the function that hides it. */
export function showUndo({ milliseconds = defaultMilliseconds, ...note }: UndoNote): () => void {
  const hide = () => notifications.hide(id);
  const undo = () => {
    hide();
    note.undo();
  };
  const id = notifications.show({
    autoClose: false,
    withCloseButton: milliseconds === null && !note.onHold,
    onClose: () => withdrawUndo(id),
    message: <UndoNote {...note} undo={undo} hide={hide} milliseconds={milliseconds} />,
  });
  offerUndo({ id, undo });
  return hide;
}

/** The timer is paused while the pointer or the focus is on the notification. */
function UndoNote({ done, undo, hide, milliseconds, onHold, children }: UndoNote & { hide: () => void }) {
  const t = useTexts('common');
  const [busy, setBusy] = useState(false);
  const origin = useRef<EventTarget>(null);
  useEffect(() => {
    onHold?.(busy);
    if (busy || milliseconds == null || onHold) return;
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
