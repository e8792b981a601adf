import type { ReactNode, Ref } from 'react';
import { passFocusOn } from '../../hooks/focus.ts';
import classes from './tree.module.css';

interface TreeProps {
  label: string;
  children: ReactNode;
}

/** A tree of `TreeItem`s, such as the paths of a site. */
export function Tree({ label, children }: TreeProps) {
  return (
    <ul className={classes.tree} aria-label={label}>
      {children}
    </ul>
  );
}

interface TreeItemProps {
  /** Its `TreeRow`s. */
  rows: ReactNode;
  /** The items below it. */
  children?: ReactNode;
}

export function TreeItem({ rows, children }: TreeItemProps) {
  return (
    <li ref={passFocusOn}>
      {rows}
      {children && <ul>{children}</ul>}
    </li>
  );
}

interface TreeRowProps {
  ref?: Ref<HTMLDivElement>;
  /** Why it was rejected. */
  fault?: string | undefined;
  /** Whether it belongs to the row above it, and has no name of its own. */
  isFurther?: boolean;
  /** Actions that are always visible. */
  actions?: ReactNode;
  /** Actions that are visible once the row is pointed at or has the focus; on touch screens always. */
  lateActions?: ReactNode;
  children: ReactNode;
}

/** A row of an item. */
export function TreeRow({ ref, fault, isFurther, actions, lateActions, children }: TreeRowProps) {
  return (
    <div
      ref={ref}
      className={classes.row}
      data-faulty={fault !== undefined || undefined}
      data-further={isFurther || undefined}
    >
      <div className={classes.facts}>
        {children}
        {fault && <span className={classes.fault}>{fault}</span>}
      </div>
      {(actions || lateActions) && (
        <div className={classes.actions}>
          {lateActions && <div className={classes.late}>{lateActions}</div>}
          {actions}
        </div>
      )}
    </div>
  );
}

/** The name of an item. One that only leads to others is quiet. */
export function TreeName({ name, title, quiet }: { name: string; title: string; quiet: boolean }) {
  return (
    <span className={classes.name} title={title} data-quiet={quiet || undefined}>
      {name}
    </span>
  );
}
