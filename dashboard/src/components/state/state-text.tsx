import type { ReactNode } from 'react';
import classes from './state-text.module.css';

/** `attention` is for what an operator should look at soon, `bad` for what failed or is denied, `neutral` for the rest. */
export type State = 'good' | 'attention' | 'bad' | 'neutral';

interface StateTextProps {
  state: State;
  /** One or two words. */
  children: ReactNode;
  /** Explains the words on hover. */
  title?: string | undefined;
}

/** A state: a colored dot and a word. */
export function StateText({ state, children, title }: StateTextProps) {
  return (
    <span className={classes.state} data-state={state} title={title}>
      {children}
    </span>
  );
}

/** The dot alone, beside a text that says what the color says. */
export function StateDot({ state }: { state: State }) {
  return <span className={classes.dot} data-state={state} aria-hidden />;
}
