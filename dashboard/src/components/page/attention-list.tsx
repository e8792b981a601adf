import type { ReactNode } from 'react';
import { passFocusOn } from '../../hooks/focus.ts';
import { type State, StateDot } from '../state/state-text.tsx';
import classes from './attention-list.module.css';

interface AttentionListProps {
  label: string;
  /** Each an `AttentionRow`. */
  children: ReactNode;
}

/** What needs a person. */
export function AttentionList({ label, children }: AttentionListProps) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  );
}

interface AttentionRowProps {
  state: State;
  /** What needs a person. */
  title: ReactNode;
  /** Why, in the words of the service. */
  why?: ReactNode;
  /** What can be done about it: one small button. On a phone it is below the rest. */
  action?: ReactNode;
}

/** One of the things that need a person. */
export function AttentionRow({ state, title, why, action }: AttentionRowProps) {
  return (
    <li className={classes.row} ref={passFocusOn}>
      <StateDot state={state} />
      <div className={classes.text}>
        <span className={classes.title}>{title}</span>
        {why && <span className={classes.why}>{why}</span>}
      </div>
      <div className={classes.action}>{action}</div>
    </li>
  );
}
