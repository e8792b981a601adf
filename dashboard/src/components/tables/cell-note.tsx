import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './scrolling-table.module.css';

interface CellNoteProps {
  /** Whether it says what is wrong. */
  isProblem?: boolean;
  children: ReactNode;
}

/** A line below the content of a cell. Unlike that, it may be longer than the cell is wide. */
export function CellNote({ isProblem = false, children }: CellNoteProps) {
  return (
    <Text size="xs" c={isProblem ? 'var(--mantine-color-error)' : 'dimmed'} className={classes.note!}>
      {children}
    </Text>
  );
}
