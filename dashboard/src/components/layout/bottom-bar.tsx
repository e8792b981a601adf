import type { ComponentPropsWithRef } from 'react';
import classes from './bottom-bar.module.css';

interface BottomBarProps extends Omit<ComponentPropsWithRef<'section'>, 'className'> {
  /** What it is for, for screen readers. */
  label: string;
}

/** A bar that stays at the bottom of the window, for the selected rows of a list or for saving a page. */
export function BottomBar({ label, ...props }: BottomBarProps) {
  return <section {...props} aria-label={label} className={classes.bar} />;
}
