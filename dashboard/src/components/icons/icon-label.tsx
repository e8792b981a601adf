import type { ReactNode } from 'react';
import type { Icon } from './icon.tsx';
import classes from './icon-label.module.css';

/** A text with an icon before it, in one line. */
export function IconLabel({ icon: Icon, children }: { icon: Icon; children: ReactNode }) {
  return (
    <span className={classes.label}>
      <Icon size={16} stroke={1.6} aria-hidden />
      <span className={classes.text}>{children}</span>
    </span>
  );
}
