import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './cell-note.module.css';

interface CellNoteProps {
  /** Whether it says what is wrong. */
  isProblem?: boolean;
  /** What is longer is cut off: its details have it in full. */
  maxLines?: number;
  children: ReactNode;
}

/** Lines below the content of a cell. Unlike that, it may be longer than the cell is wide. */
export function CellNote({ isProblem = false, maxLines, children }: CellNoteProps) {
  return (
    <Text
      size="xs"
      c={isProblem ? 'var(--mantine-color-error)' : 'dimmed'}
      className={classes.note!}
      {...(maxLines !== undefined && { lineClamp: maxLines })}
    >
      {children}
    </Text>
  );
}
