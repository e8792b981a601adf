import type { ReactNode } from 'react';
import { locale } from '../../languages/language.ts';
import classes from './figures.module.css';

const format = new Intl.NumberFormat(locale);

interface FiguresProps {
  label: string;
  /** Each a `Figure`. */
  children: ReactNode;
}

/** Numbers with their names, side by side. */
export function Figures({ label, children }: FiguresProps) {
  return (
    <section aria-label={label} className={classes.frame}>
      <dl className={classes.figures}>{children}</dl>
    </section>
  );
}

interface FigureProps {
  name: string;
  number: number;
  /** More about the number, such as how it has changed. */
  children?: ReactNode;
}

/** A number with its name. */
export function Figure({ name, number, children }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd>
        <span className={classes.number}>{format.format(number)}</span>
        <span className={classes.note}>{children}</span>
      </dd>
    </div>
  );
}
