import type { AccessDecision } from '@gatehouse/client';
import { Stack, Text } from '@mantine/core';
import { AlternativeResults } from '../../../components/access/alternative-results.tsx';
import { DecisionReason } from '../../../components/access/decision-reason.tsx';
import { useRuleNames } from '../../../components/access/rule-names.ts';
import { Hint } from '../../../components/layout/hint.tsx';
import { StateText } from '../../../components/state/state-text.tsx';
import { useTexts } from '../../../languages/texts.tsx';

interface DecisionNoteProps {
  decision: AccessDecision;
  /** Whether a program may show the page at other addresses, which are public. */
  isBelowPublicRoot: boolean;
}

/** Whether access is allowed, why, and by which rule. */
export function DecisionNote({ decision, isBelowPublicRoot }: DecisionNoteProps) {
  const t = useTexts('rules');
  const access = useTexts('access');
  const names = useRuleNames();
  const { allowed, reason, rule, alternatives } = decision;
  const withoutRule = rule === null && (reason === 'member' || reason === 'anonymous');
  return (
    <Stack gap={4}>
      <StateText state={allowed ? 'good' : 'bad'}>{access(allowed ? 'allowed' : 'denied')}</StateText>
      {!(rule?.access === 'conditional' && alternatives) && (
        <Text fw={500}>
          <DecisionReason decision={decision} names={names} />
        </Text>
      )}
      {rule?.access === 'conditional' && alternatives && (
        <AlternativeResults rule={rule} results={alternatives} names={names} />
      )}
      {reason === 'ambiguous_path' && <Hint>{t('ambiguousPath')}</Hint>}
      <Hint>
        {rule &&
          t.rich(rule.appliesTo === 'page' ? 'decidedByPage' : 'decidedBy', {
            path: <code>{rule.path}</code>,
          })}{' '}
        {rule?.programPaths && t('decidedForProgram')}
        {withoutRule && t('noRule')}
      </Hint>
      {isBelowPublicRoot && <Hint>{t.rich('publicRoot.tried', { root: <code>/</code> })}</Hint>}
    </Stack>
  );
}
