import type { ReactNode } from 'react';
import classes from './choice-list.module.css';

interface ChoiceListProps {
  /** Whether a long list is shown whole, and does not scroll. */
  isWhole?: boolean;
  children: ReactNode;
}

/** Things with a choice for each, one below the other. */
export function ChoiceList({ isWhole = false, children }: ChoiceListProps) {
  return (
    <ul className={classes.list} data-whole={isWhole || undefined}>
      {children}
    </ul>
  );
}

interface ChoiceRowProps {
  /** What is chosen for. */
  children: ReactNode;
  choice: ReactNode;
}

/** One of the things, with its choice at the end. */
export function ChoiceRow({ children, choice }: ChoiceRowProps) {
  return (
    <li className={classes.row}>
      {children}
      {choice}
    </li>
  );
}
