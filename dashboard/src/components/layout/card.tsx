import type { ReactNode } from 'react';
import classes from './card.module.css';
import { Heading } from './section.tsx';

interface CardProps {
  title?: string;
  description?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** A frame around what is one thing, such as an object among others. The parts of a page are sections. */
export function Card({ title, children, ...head }: CardProps) {
  return (
    <section className={classes.card}>
      {title !== undefined && (
        <div className={classes.head}>
          <Heading title={title} {...head} />
        </div>
      )}
      {children}
    </section>
  );
}
