import type { Invitation } from '@gatehouse/client';
import { Group, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { ObjectPage } from '../../components/feedback/object-page.tsx';
import { IconTicket } from '../../components/icons/icons.ts';
import { invitationHint, invitationName } from '../../components/invitations/invitation-name.ts';
import { CopyId } from '../../components/layout/copy-id.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { BackLink } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Section } from '../../components/layout/section.tsx';
import { useTexts } from '../../languages/texts.tsx';
import type { Version } from '../../queries/version.ts';
import { useInvitation } from '../../queries/ways-in/invitations.ts';
import { useMay } from '../../session/site.ts';
import { InvitationState } from '../invitations/invitation-state.tsx';
import { ShareLink } from '../invitations/link/share-link.tsx';
import { InvitationActions } from './invitation-actions.tsx';
import { InvitationFacts } from './invitation-facts.tsx';
import { RedemptionsSection } from './redemptions-section.tsx';

/** One invitation: its link, what it gives, and who has joined with it. */
export function InvitationPage() {
  const t = useTexts('invitations');
  const { invitationId } = useParams({ from: '/$site/invitations/$invitationId' });
  const query = useInvitation(invitationId);
  return (
    <ObjectPage
      query={query}
      back={<BackLink to="/$site/invitations">{t('back')}</BackLink>}
      missing={{
        code: 'invitation_not_found',
        icon: IconTicket,
        title: t('notFound'),
        text: t('notFoundText'),
      }}
    >
      {(saved) => <FoundInvitation key={invitationId} saved={saved} />}
    </ObjectPage>
  );
}

function FoundInvitation({ saved }: { saved: Version<Invitation> }) {
  const t = useTexts('invitations');
  const invitation = saved.data;
  const maySeeMembers = useMay('members:read');
  const hint = invitationHint(t('everyone'), invitation);
  return (
    <>
      <PageHeader
        title={invitationName(t('everyone'), invitation)}
        description={hint}
        back={<BackLink to="/$site/invitations">{t('back')}</BackLink>}
        actions={<InvitationActions saved={saved} />}
      />
      <Stack gap="lg">
        <Group gap="sm">
          <InvitationState status={invitation.status} />
          <StateHint invitation={invitation} />
          <CopyId id={invitation.id} label={t('id')} />
        </Group>
        {invitation.url !== null && invitation.status === 'active' && (
          <Section title={t('link')} description={t('linkHelp')}>
            <ShareLink invitation={invitation} />
          </Section>
        )}
        <InvitationFacts invitation={invitation} />
        {maySeeMembers && <RedemptionsSection invitation={invitation} />}
      </Stack>
    </>
  );
}

/** What the status means, where the word alone does not say it. */
function StateHint({ invitation: { status } }: { invitation: Invitation }) {
  const t = useTexts('invitations');
  const name = `stateHelp.${status}`;
  return t.has(name) && <Hint>{t(name)}</Hint>;
}
