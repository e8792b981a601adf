import type { ReactNode } from 'react';
import classes from './scrolling-table.module.css';

interface ScrollingTableProps {
  label: string;
  /** The head and the body of the table. */
  children: ReactNode;
  /** Shown below the last row. */
  end?: ReactNode;
}

/** The rows of a list in an area that scrolls, below headings that stay. */
export function ScrollingTable({ label, children, end }: ScrollingTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached with the keyboard (axe, scrollable-region-focusable).
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <table className={classes.table}>{children}</table>
      {end}
    </section>
  );
}
