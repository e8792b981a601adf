import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { displayAddress } from '../../../format/addresses/email-address.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useAccessGroups } from '../../../queries/access-groups.ts';
import type { FormerMembership } from '../../../queries/members/former-memberships.ts';
import { memberQuery } from '../../../queries/members/member.ts';
import { useSiteApi } from '../../../queries/site-api.ts';
import { useMay } from '../../../session/site.ts';
import { Hint } from '../../layout/hint.tsx';
import { LinkText } from '../../layout/links.tsx';
import type { Decided } from '../decision-reason.tsx';
import { RepairButtons } from './repair-buttons.tsx';
import { missedGroups, repairsOf } from './repairs.ts';

interface DecisionRepairProps {
  decision: Decided;
  memberId: string;
  former: ReadonlyMap<string, FormerMembership>;
  linksToMember: boolean;
  isRepairable: boolean;
}

/** What would give a member the access that a decision denies, and a link to the member. */
export function DecisionRepair(props: DecisionRepairProps) {
  const { decision, memberId, former, linksToMember, isRepairable } = props;
  const t = useTexts('access');
  const common = useTexts('common');
  const { data: groups = [] } = useAccessGroups();
  const query = memberQuery(useSiteApi(), memberId);
  const member = useQuery({ ...query, enabled: useMay('members:read') }).data?.data;
  if (!member) return null;
  const repairs = isRepairable ? repairsOf(decision, { member, groups, former }) : [];
  const missed = missedGroups(decision).map((id) => groups.find((group) => group.id === id));
  const isBySource = missed.length > 0 && missed.every((group) => group?.type === 'scope');
  return (
    <>
      {isBySource && <Hint>{common('scopeHelp')}</Hint>}
      <Group gap="sm">
        <RepairButtons repairs={repairs} member={member} />
        {linksToMember && (
          <LinkText from="/$site" to="/$site/members/$memberId" params={{ memberId }} size="sm">
            {t('repair.toMember', { name: member.displayName ?? displayAddress(member.email) })}
          </LinkText>
        )}
      </Group>
    </>
  );
}
