import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconCircle, IconCircleCheckFilled } from '../icons/icons.ts';
import classes from './checklist.module.css';

interface ChecklistProps {
  /** How many are done, of how many. */
  progress: { readonly text: string; readonly count: number; readonly total: number };
  /** Each a `CheckItem`. */
  children: ReactNode;
}

/** Things to do, with a bar that says how many are done. */
export function Checklist({ progress: { text, count, total }, children }: ChecklistProps) {
  return (
    <>
      <progress className={classes.progress} value={count} max={total} aria-label={text} />
      <ol className={classes.items}>{children}</ol>
    </>
  );
}

interface CheckItemProps {
  isDone: boolean;
  /** "Done" or "To do", for screen readers. */
  state: string;
  children: ReactNode;
}

/** One of the things to do. */
export function CheckItem({ isDone, state, children }: CheckItemProps) {
  const Icon = isDone ? IconCircleCheckFilled : IconCircle;
  return (
    <li className={classes.item} data-done={isDone || undefined}>
      <Icon size={18} stroke={1.5} aria-hidden />
      <div>
        <VisuallyHidden>{state}: </VisuallyHidden>
        {children}
      </div>
    </li>
  );
}
