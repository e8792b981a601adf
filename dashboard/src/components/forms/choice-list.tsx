import type { ReactNode } from 'react';
import classes from './choice-list.module.css';

/** Things with a choice for each, one below the other. A long list scrolls. */
export function ChoiceList({ children }: { children: ReactNode }) {
  return <ul className={classes.list}>{children}</ul>;
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
