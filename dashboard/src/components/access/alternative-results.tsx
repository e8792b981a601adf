import type { AccessDecision, AccessRule } from '@gatehouse/client';
import { useTexts } from '../../languages/texts.tsx';
import { StateText } from '../state/state-text.tsx';
import classes from './access-text.module.css';
import { AlternativeText } from './alternative-text.tsx';
import { resultOf } from './decision-reason.tsx';
import type { LeavingText } from './leaving-text.ts';
import type { RuleNames } from './rule-names.ts';

interface AlternativeResultsProps {
  rule: Extract<AccessRule, { access: 'conditional' }>;
  results: NonNullable<AccessDecision['alternatives']>;
  names: RuleNames;
  leaving: LeavingText;
}

/** What decided about each alternative of a rule. */
export function AlternativeResults({ rule, results, names, leaving }: AlternativeResultsProps) {
  const t = useTexts('access');
  return (
    <ul className={classes.results} aria-label={t('conditional')}>
      {rule.anyOf.map((alternative, index) => (
        <li key={index}>
          <p>
            <AlternativeText alternative={alternative} names={names} />
          </p>
          <StateText state={results[index] === 'met' ? 'good' : 'bad'}>
            {resultOf(t, alternative, results[index]!, names, leaving)}
          </StateText>
        </li>
      ))}
    </ul>
  );
}
