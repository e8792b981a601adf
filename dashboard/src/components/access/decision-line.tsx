import type { AccessDecision } from '@gatehouse/client';
import { useTexts } from '../../languages/texts.tsx';
import { Hint } from '../layout/hint.tsx';
import { StateText } from '../state/state-text.tsx';
import classes from './access-text.module.css';
import { DecisionReason } from './decision-reason.tsx';
import { useRuleNames } from './rule-names.ts';

/** Whether access is allowed, why, and by which rule, on one line. */
export function DecisionLine({ decision }: { decision: AccessDecision }) {
  const t = useTexts('access');
  const names = useRuleNames();
  const { allowed, rule } = decision;
  const byRule = rule?.appliesTo === 'page' ? 'byPageRule' : 'byRule';
  return (
    <div className={classes.decision}>
      <StateText state={allowed ? 'good' : 'bad'}>{t(allowed ? 'allowed' : 'denied')}</StateText>
      <span>
        <DecisionReason decision={decision} names={names} />
      </span>
      <Hint>{rule ? t.rich(byRule, { path: <code>{rule.path}</code> }) : t('byNoRule')}</Hint>
    </div>
  );
}
