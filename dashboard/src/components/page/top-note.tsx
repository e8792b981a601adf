import type { ReactNode } from 'react';
import classes from './top-note.module.css';

/** Stays at the top of the window, above what is scrolled, and takes no place in it. Screen readers read it when it changes. */
export function TopNote({ children }: { children: ReactNode }) {
  return (
    <div role="status" className={classes.note}>
      {children}
    </div>
  );
}
