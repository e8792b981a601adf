import { IconCheck } from '../icons/icons.ts';
import classes from './steps.module.css';

interface StepsProps {
  label: string;
  names: readonly string[];
  /** The index of the current one. */
  current: number;
  /** "Step 2 of 4", for phones, where the name of the step is the heading below. */
  position: string;
}

/** The steps of what is done on several pages, with the current one marked. */
export function Steps({ label, names, current, position }: StepsProps) {
  return (
    <>
      <p className={classes.position}>{position}</p>
      <ol className={classes.steps} aria-label={label}>
        {names.map((name, index) => (
          <li
            key={name}
            className={classes.step}
            aria-current={index === current ? 'step' : undefined}
            data-done={index < current || undefined}
          >
            <span className={classes.number} aria-hidden>
              {index < current ? <IconCheck size={14} /> : index + 1}
            </span>
            {name}
          </li>
        ))}
      </ol>
    </>
  );
}
