import type { ComponentPropsWithRef, ReactNode, Ref } from 'react';
import classes from './list.module.css';

interface ListProps {
  label: string;
  ref?: Ref<HTMLUListElement>;
  children: ReactNode;
}

/** A list of things that have too little to say for the columns of a table. */
export function List({ label, ref, children }: ListProps) {
  return (
    <ul className={classes.list} aria-label={label} ref={ref}>
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
  /** Whether it has several lines: everything begins at the top. */
  isTall?: boolean;
  isSelected?: boolean;
}

/** A row of a list. */
export function ListRow(props: ListRowProps) {
  const { leading, trailing, actions, isTall, isSelected, children, ...others } = props;
  return (
    <li
      {...others}
      className={classes.row}
      data-tall={isTall || undefined}
      data-selected={isSelected || undefined}
    >
      {leading}
      <div className={classes.content}>
        <div className={classes.main}>{children}</div>
        {trailing && <div className={classes.trailing}>{trailing}</div>}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </li>
  );
}
