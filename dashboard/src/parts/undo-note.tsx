import { Box, Button, Group, Kbd, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useEffect, useState } from 'react';
import { useTexts } from '../languages/texts.tsx';
import { shortcut } from './shortcut.ts';

interface UndoNote {
  done: string;
  undo: () => void;
  /** What else there is to say. */
  children?: ReactNode;
  /** Until then it goes by itself; null if it stays until it is closed. */
  milliseconds?: number | null;
}

const usualMilliseconds = 8_000;

/** What can be taken back by a key: the newest first. */
let notes: { id: string; undo: () => void }[] = [];

/** Says what has been done, with the way back. */
export function showUndo({ milliseconds = usualMilliseconds, ...note }: UndoNote): void {
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

/** Takes the newest back with Ctrl+Z or ⌘Z, where that does not take back what is typed. */
export function useUndoKey(): void {
  useWindowEvent('keydown', (event) => {
    const { ctrlKey, metaKey, shiftKey, altKey, key, target } = event;
    if (!(ctrlKey || metaKey) || shiftKey || altKey || key.toLowerCase() !== 'z') return;
    if (!notes[0] || (target instanceof Element && target.matches(':read-write'))) return;
    event.preventDefault();
    notes[0].undo();
  });
}

/** Nobody is hurried who points at it or has the focus there. */
function UndoNote({ done, undo, hide, milliseconds, children }: UndoNote & { hide: () => void }) {
  const t = useTexts('parts');
  const [busy, setBusy] = useState(false);
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
      onFocus={() => setBusy(true)}
      onBlur={() => setBusy(false)}
    >
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text size="sm">{done}</Text>
        <Button
          size="compact-sm"
          variant="light"
          flex="none"
          onClick={undo}
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
