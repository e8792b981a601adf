import type { Overview } from '@gatehouse/client';
import { locale } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import classes from './overview.module.css';

const format = new Intl.NumberFormat(locale);

/** The numbers of members by state. */
export function Numbers({ overview: { members, accessGroups } }: { overview: Overview }) {
  const t = useTexts('overview');
  const numbers = [
    [t('members'), members.total],
    [t('paid'), members.paid],
    [t('verified'), members.verified],
    [t('blocked'), members.blocked],
    [t('accessGroups'), accessGroups],
  ] as const;
  return (
    <section aria-label={t('numbers')}>
      <dl className={classes.numbers}>
        {numbers.map(([name, number]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{format.format(number)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
