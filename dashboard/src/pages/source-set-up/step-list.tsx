import { IconCheck } from '../../components/icons/icons.ts';
import { useTexts } from '../../languages/texts.tsx';
import classes from './set-up.module.css';
import type { SetUpStep } from './set-up-search.ts';

/** The steps with the current one marked. On a phone only its number is shown; its name is the heading below. */
export function StepList({ steps, step }: { steps: readonly SetUpStep[]; step: SetUpStep }) {
  const t = useTexts('sources');
  const at = steps.indexOf(step);
  return (
    <>
      <p className={classes.position}>{t('position', { number: at + 1, total: steps.length })}</p>
      <ol className={classes.steps} aria-label={t('steps')}>
        {steps.map((each, index) => (
          <li
            key={each}
            className={classes.step}
            aria-current={each === step ? 'step' : undefined}
            data-done={index < at || undefined}
          >
            <span className={classes.number} aria-hidden>
              {index < at ? <IconCheck size={14} /> : index + 1}
            </span>
            <span className={classes.name}>{t(`step.${each}`)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
