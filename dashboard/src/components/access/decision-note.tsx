import type { AccessDecision } from '@gatehouse/client';
import { useTexts } from '../../languages/texts.tsx';
import { Hint } from '../layout/hint.tsx';
import { StateText } from '../state/state-text.tsx';
import classes from './access-text.module.css';
import { AlternativeResults } from './alternative-results.tsx';
import { DecisionReason } from './decision-reason.tsx';
import { useLeaving } from './leaving-text.ts';
import { DecisionRepair } from './repair/decision-repair.tsx';
import { missedGroups } from './repair/repairs.ts';
import { useRuleNames } from './rule-names.ts';

interface DecisionNoteProps {
  decision: AccessDecision;
  /** The member whom it is about. */
  memberId: string | undefined;
  /** Whether it also leads to the page of the member. */
  linksToMember?: boolean;
  /** Whether what is missing can be added here. */
  isRepairable?: boolean;
}

/** Whether access is allowed, why, and by which rule; if a member is denied, also what would change that. */
export function DecisionNote({
  decision,
  memberId,
  linksToMember = false,
  isRepairable = true,
}: DecisionNoteProps) {
  const t = useTexts('access');
  const names = useRuleNames();
  const leaving = useLeaving(memberId, missedGroups(decision), names.groups);
  const { allowed, reason, rule, alternatives } = decision;
  return (
    <div className={classes.decision}>
      <StateText state={allowed ? 'good' : 'bad'}>{t(allowed ? 'allowed' : 'denied')}</StateText>
      {rule?.access === 'conditional' && alternatives ? (
        <AlternativeResults rule={rule} results={alternatives} names={names} leaving={leaving.text} />
      ) : (
        <strong>
          <DecisionReason decision={decision} names={names} leaving={leaving.text} />
        </strong>
      )}
      {memberId !== undefined && (
        <DecisionRepair
          decision={decision}
          memberId={memberId}
          former={leaving.former}
          linksToMember={linksToMember}
          isRepairable={isRepairable}
        />
      )}
      {reason === 'ambiguous_path' && <Hint>{t('ambiguousPath')}</Hint>}
      <DecidingRule decision={decision} />
    </div>
  );
}

function DecidingRule({ decision: { rule, reason } }: { decision: AccessDecision }) {
  const t = useTexts('access');
  const isWithoutRule = rule === null && (reason === 'member' || reason === 'anonymous');
  const decidedBy = rule?.appliesTo === 'page' ? 'decidedByPage' : 'decidedBy';
  return (
    <Hint>
      {rule && t.rich(decidedBy, { path: <code>{rule.path}</code> })}{' '}
      {rule?.programPaths && t('decidedForProgram')}
      {isWithoutRule && t('noRule')}
    </Hint>
  );
}
