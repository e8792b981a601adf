import type { ReactNode } from 'react';
import classes from './beside.module.css';

interface BesideProps {
  /** Stays in sight beside the content; below it where there is no room. */
  aside: ReactNode;
  children: ReactNode;
}

/** A page with something beside its content. */
export function Beside({ aside, children }: BesideProps) {
  return (
    <div className={classes.columns}>
      <div>{children}</div>
      <div className={classes.aside}>{aside}</div>
    </div>
  );
}
