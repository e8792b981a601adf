import type { ComponentPropsWithRef, ReactNode } from 'react';
import classes from './list.module.css';

interface ListProps {
  label: string;
  children: ReactNode;
}

/** A list of things that have too little to say for the columns of a table. */
export function List({ label, children }: ListProps) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  );
}

interface ListRowProps extends Omit<ComponentPropsWithRef<'li'>, 'className'> {
  /** Before the content, such as an icon or initials. */
  leading?: ReactNode;
  /** After it, such as a state or a time. On a phone it is below the content. */
  trailing?: ReactNode;
  /** At the end, such as small buttons or a menu. */
  actions?: ReactNode;
}

/** A row of a list. */
export function ListRow({ leading, trailing, actions, children, ...props }: ListRowProps) {
  return (
    <li {...props} className={classes.row}>
      {leading}
      <div className={classes.content}>
        <div className={classes.main}>{children}</div>
        {trailing && <div className={classes.trailing}>{trailing}</div>}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </li>
  );
}
