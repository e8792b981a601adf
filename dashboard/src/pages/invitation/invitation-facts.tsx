import type { Invitation } from '@gatehouse/client';
import { siteLanguages } from '@gatehouse/contract/languages';
import { EndText } from '../../components/end-text.tsx';
import { InvitationGroups } from '../../components/invitations/invitation-groups.tsx';
import { Section } from '../../components/layout/section.tsx';
import { Fact, Facts } from '../../components/tables/facts.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { usesText } from '../invitations/invitation-table.tsx';

/** What an invitation gives, and its limits. */
export function InvitationFacts({ invitation }: { invitation: Invitation }) {
  const t = useTexts('invitations');
  const { accessGroupIds, email, emailDomains, expiresAt, language, sentAt, createdAt } = invitation;
  return (
    <Section title={t('details')}>
      <Facts>
        <Fact name={t('groups')}>
          {accessGroupIds.length === 0 ? t('noGroups') : <InvitationGroups ids={accessGroupIds} />}
        </Fact>
        <Fact name={t('end')}>{accessGroupIds.length > 0 && <MembershipEnd invitation={invitation} />}</Fact>
        <Fact name={t('uses')}>{usesText(t, invitation)}</Fact>
        <Fact name={t('ends')}>
          <EndText at={expiresAt} />
        </Fact>
        <Fact name={t('domains')}>{emailDomains.length > 0 && emailDomains.join(', ')}</Fact>
        <Fact name={t('approval')}>{t(invitation.needsApproval ? 'yes' : 'no')}</Fact>
        <Fact name={t('language')}>{language !== null && (siteLanguages[language] ?? language)}</Fact>
        <Fact name={t('sent')}>
          {email !== null && (sentAt === null ? t('notSent') : <TimeText at={sentAt} />)}
        </Fact>
        <Fact name={t('created')}>
          <TimeText at={createdAt} />
        </Fact>
      </Facts>
    </Section>
  );
}

function MembershipEnd({ invitation }: { invitation: Invitation }) {
  const t = useTexts('invitations');
  const { membershipExpiresAt, membershipDays } = invitation;
  if (membershipExpiresAt !== null) return <EndText at={membershipExpiresAt} />;
  return membershipDays === null ? t('end.none') : t('afterDays', { count: membershipDays });
}
