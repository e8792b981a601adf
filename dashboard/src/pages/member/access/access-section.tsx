import type { MemberWithGroups, RuleDecision } from '@gatehouse/client';
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { DecisionReason } from '../../../components/access/decision-reason.tsx';
import { useLeaving } from '../../../components/access/leaving-text.ts';
import { RepairButtons } from '../../../components/access/repair/repair-buttons.tsx';
import { missedGroups, type Repair, repairsOf } from '../../../components/access/repair/repairs.ts';
import { useRuleNames } from '../../../components/access/rule-names.ts';
import { QueryState } from '../../../components/feedback/query-state.tsx';
import { QuietButton } from '../../../components/layout/action-button.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { LinkText } from '../../../components/layout/links.tsx';
import { Section } from '../../../components/layout/section.tsx';
import { StateText } from '../../../components/state/state-text.tsx';
import { DataCell, DataRow, DataTable } from '../../../components/tables/data-table.tsx';
import { displayAddress } from '../../../format/addresses/email-address.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useAccessGroups } from '../../../queries/access-groups.ts';
import { useAccessQuery } from '../member-query.ts';
import { AccessTest } from './access-test.tsx';

/** Rules beyond these are shown on request. */
const shownRules = 12;

/** What the member can open: the decision of every rule, and of any URL. */
export function AccessSection({ member }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const access = useQuery(useAccessQuery(member.id));
  const name = member.displayName ?? displayAddress(member.email);
  const isBlocked = member.status === 'blocked';
  return (
    <Section
      title={t('canOpen', { name })}
      action={isBlocked && <RepairButtons repairs={[{ type: 'unblock' }]} member={member} />}
    >
      <Stack gap="md">
        <AccessTest memberId={member.id} />
        <QueryState query={access} rows={3} />
        {access.data?.length === 0 && <Hint>{t('noRules')}</Hint>}
        {access.data && access.data.length > 0 && <Decisions member={member} decisions={access.data} />}
      </Stack>
    </Section>
  );
}

interface DecisionsProps {
  member: MemberWithGroups;
  decisions: readonly RuleDecision[];
}

function Decisions({ member, decisions }: DecisionsProps) {
  const t = useTexts('member');
  const names = useRuleNames();
  const { data: groups = [] } = useAccessGroups();
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? decisions : decisions.slice(0, shownRules);
  const missed = [...new Set(shown.flatMap(missedGroups))];
  const leaving = useLeaving(member.id, missed, names.groups);
  const repairs = (decision: RuleDecision) => repairsOf(decision, { member, groups, former: leaving.former });
  return (
    <div>
      <DataTable
        label={t('rules')}
        columns={[
          { name: 'path', title: t('path'), width: 200 },
          { name: 'access', title: t('access'), width: 100 },
          { name: 'reason', title: t('reason') },
        ]}
      >
        {shown.map((decision) => (
          <DecisionRow
            key={keyOf(decision)}
            member={member}
            decision={decision}
            reason={<DecisionReason decision={decision} names={names} leaving={leaving.text} />}
            repairs={repairs(decision)}
          />
        ))}
      </DataTable>
      {shown.length < decisions.length && (
        <QuietButton
          label={t('showAllRules', { count: decisions.length })}
          onClick={() => setShowsAll(true)}
        />
      )}
    </div>
  );
}

interface DecisionRowProps {
  member: MemberWithGroups;
  decision: RuleDecision;
  reason: ReactNode;
  repairs: readonly Repair[];
}

/** A rule with its decision. Its path leads to the test on the page of the rules. */
function DecisionRow({ member, decision, reason, repairs }: DecisionRowProps) {
  const t = useTexts('access');
  const { allowed, rule } = decision;
  // It is above all rows, because it concerns each of them.
  const ownRepairs = repairs.filter(({ type }) => type !== 'unblock');
  return (
    <DataRow>
      <DataCell>
        <LinkText
          from="/$site"
          to="/$site/rules"
          search={{ path: rule.path, memberId: member.id }}
          c="inherit"
        >
          <code>{rule.path}</code>
        </LinkText>
        {rule.appliesTo === 'page' && ` · ${t('page')}`}
        {rule.hosts && ` · ${rule.hosts.join(', ')}`}
      </DataCell>
      <DataCell>
        <StateText state={allowed ? 'good' : 'bad'}>{t(allowed ? 'allowed' : 'denied')}</StateText>
      </DataCell>
      <DataCell quiet wraps>
        {reason}
        <RepairButtons repairs={ownRepairs} member={member} isInRow />
      </DataCell>
    </DataRow>
  );
}

/** Rules can be alike except for their hosts. */
function keyOf({ rule: { path, appliesTo, hosts } }: RuleDecision): string {
  return [path, appliesTo, ...(hosts ?? [])].join(' ');
}
