import type { ReactNode } from 'react';
import { Initials } from './initials.tsx';
import classes from './person.module.css';

interface PersonProps {
  id: string;
  /** The name; the email address if there is none. */
  name: string;
  /** The email address, unless it is the name. */
  address?: string | undefined;
  /** Stands for the name, such as a link with it. */
  link?: ReactNode;
  /** What follows, such as a tag. */
  children?: ReactNode;
}

/** A person in one line: initials, the name, and the email address, which gives way first. */
export function Person({ id, name, address, link, children }: PersonProps) {
  return (
    <div className={classes.person}>
      <Initials id={id} name={name} />
      <div className={classes.name} title={name}>
        {link ?? name}
      </div>
      {children}
      {address !== undefined && (
        <span className={classes.address} title={address}>
          {address}
        </span>
      )}
    </div>
  );
}
