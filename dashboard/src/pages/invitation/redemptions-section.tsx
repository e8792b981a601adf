import type { Invitation, InvitationRedemption } from '@gatehouse/client';
import { Badge, Group, Text } from '@mantine/core';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { Section } from '../../components/layout/section.tsx';
import { MemberName } from '../../components/members/member-name.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useRedemptions } from '../../queries/ways-in/invitations.ts';
import classes from './invitation.module.css';

/** The members who have joined with an invitation. */
export function RedemptionsSection({ invitation }: { invitation: Invitation }) {
  const t = useTexts('invitations');
  const redemptions = useRedemptions(invitation.id);
  return (
    <Section title={t('joined')}>
      {redemptions.data?.length === 0 && <Text c="dimmed">{t('nobodyJoined')}</Text>}
      {redemptions.data && redemptions.data.length > 0 && (
        <ul className={classes.rows} aria-label={t('joined')}>
          {redemptions.data.map((redemption) => (
            <RedemptionRow key={redemption.id} redemption={redemption} />
          ))}
        </ul>
      )}
      <QueryState query={redemptions} rows={3} />
    </Section>
  );
}

function RedemptionRow({ redemption }: { redemption: InvitationRedemption }) {
  const t = useTexts('invitations');
  const { member, isNewMember, redeemedAt } = redemption;
  return (
    <li className={classes.row}>
      <MemberName member={member} withEmail />
      <Group gap="sm" wrap="nowrap">
        {isNewMember && <Badge variant="light">{t('newMember')}</Badge>}
        <Hint size="xs">
          <TimeText at={redeemedAt} />
        </Hint>
      </Group>
    </li>
  );
}
