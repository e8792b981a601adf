import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import classes from './switch-links.module.css';

interface SwitchLinksProps {
  label: string;
  /** Each a `SwitchLink`. */
  children: ReactNode;
}

/** A few views of one page, each with its own address. */
export function SwitchLinks({ label, children }: SwitchLinksProps) {
  return (
    <nav className={classes.switch} aria-label={label}>
      {children}
    </nav>
  );
}

/** A link to a view. The router marks the one that is shown. */
export const SwitchLink = createLink((props: Omit<ComponentPropsWithRef<'a'>, 'className'>) => (
  <a {...props} className={classes.link} />
));
