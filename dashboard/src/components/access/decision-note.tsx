import type { AccessDecision } from '@gatehouse/client';
import { useTexts } from '../../languages/texts.tsx';
import { Hint } from '../layout/hint.tsx';
import { StateText } from '../state/state-text.tsx';
import classes from './access-text.module.css';
import { AlternativeResults } from './alternative-results.tsx';
import { DecisionReason } from './decision-reason.tsx';
import { useRuleNames } from './rule-names.ts';

/** Whether access is allowed, why, and by which rule. */
export function DecisionNote({ decision }: { decision: AccessDecision }) {
  const t = useTexts('access');
  const names = useRuleNames();
  const { allowed, reason, rule, alternatives } = decision;
  const isWithoutRule = rule === null && (reason === 'member' || reason === 'anonymous');
  const decidedBy = rule?.appliesTo === 'page' ? 'decidedByPage' : 'decidedBy';
  return (
    <div className={classes.decision}>
      <StateText state={allowed ? 'good' : 'bad'}>{t(allowed ? 'allowed' : 'denied')}</StateText>
      {rule?.access === 'conditional' && alternatives ? (
        <AlternativeResults rule={rule} results={alternatives} names={names} />
      ) : (
        <strong>
          <DecisionReason decision={decision} names={names} />
        </strong>
      )}
      {reason === 'ambiguous_path' && <Hint>{t('ambiguousPath')}</Hint>}
      <Hint>
        {rule && t.rich(decidedBy, { path: <code>{rule.path}</code> })}{' '}
        {rule?.programPaths && t('decidedForProgram')}
        {isWithoutRule && t('noRule')}
      </Hint>
    </div>
  );
}
