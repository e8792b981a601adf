import type { Invitation, InvitationRedemption } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { List, ListRow } from '../../components/layout/list.tsx';
import { Section } from '../../components/layout/section.tsx';
import { MemberName } from '../../components/members/member-name.tsx';
import { Person } from '../../components/people/person.tsx';
import { Tag } from '../../components/state/tag.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { displayAddress } from '../../format/addresses/email-address.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useRedemptions } from '../../queries/ways-in/invitations.ts';

/** The members who have joined with an invitation. */
export function RedemptionsSection({ invitation }: { invitation: Invitation }) {
  const t = useTexts('invitations');
  const redemptions = useRedemptions(invitation.id);
  return (
    <Section title={t('joined')}>
      {redemptions.data?.length === 0 && <Text c="dimmed">{t('nobodyJoined')}</Text>}
      {redemptions.data && redemptions.data.length > 0 && (
        <List label={t('joined')}>
          {redemptions.data.map((redemption) => (
            <RedemptionRow key={redemption.id} redemption={redemption} />
          ))}
        </List>
      )}
      <QueryState query={redemptions} rows={3} />
    </Section>
  );
}

function RedemptionRow({ redemption }: { redemption: InvitationRedemption }) {
  const t = useTexts('invitations');
  const { member, isNewMember, redeemedAt } = redemption;
  const address = displayAddress(member.email);
  return (
    <ListRow trailing={<TimeText at={redeemedAt} />}>
      <Person
        id={member.id}
        name={member.displayName ?? address}
        {...(member.displayName && { address })}
        link={<MemberName member={member} />}
      >
        {isNewMember && <Tag>{t('newMember')}</Tag>}
      </Person>
    </ListRow>
  );
}
