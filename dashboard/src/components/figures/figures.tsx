import { locale } from '../../languages/language.ts';
import classes from './figures.module.css';

const format = new Intl.NumberFormat(locale);

interface FiguresProps {
  label: string;
  figures: readonly (readonly [name: string, number: number])[];
}

/** Numbers with their names, side by side. */
export function Figures({ label, figures }: FiguresProps) {
  return (
    <section aria-label={label}>
      <dl className={classes.figures}>
        {figures.map(([name, number]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{format.format(number)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
