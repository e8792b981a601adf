import { GatehouseError } from '@gatehouse/client';
import { Grid, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { IconUserOff } from '../../components/icons/icons.ts';
import { EmptyState } from '../../components/layout/empty-state.tsx';
import { BackLink, LinkButton } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { PageSkeleton, RowsSkeleton } from '../../components/layout/skeletons.tsx';
import { displayAddress } from '../../format/addresses/email-address.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useMay } from '../../session/site.ts';
import { AccessSection } from './access-section.tsx';
import { AccessTokensSection } from './access-tokens-section.tsx';
import { ActivitySection } from './activity-section.tsx';
import { GroupsSection } from './groups-section.tsx';
import { MemberActions } from './member-actions.tsx';
import { useMember } from './member-query.ts';
import { ProfileSection } from './profile-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** The page of one member. */
export function MemberPage() {
  const t = useTexts('member');
  const { memberId } = useParams({ from: '/$site/members/$memberId' });
  const { data, error, refetch } = useMember(memberId);
  const mayFollow = useMay('events:read');
  if (!data) return error ? <NoMember error={error} retry={refetch} /> : <PageSkeleton />;
  const { data: member } = data;
  return (
    <>
      <PageHeader
        title={member.displayName ?? displayAddress(member.email)}
        {...(member.displayName && { description: displayAddress(member.email) })}
        back={<BackLink to="/$site/members">{t('back')}</BackLink>}
        actions={<MemberActions member={member} />}
      />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Stack gap="lg">
            <AccessSection member={member} />
            <ProfileSection saved={data} />
            <GroupsSection member={member} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Stack gap="lg">
            <SessionsSection member={member} />
            <AccessTokensSection member={member} />
            {mayFollow && (
              <Suspense fallback={<RowsSkeleton />}>
                <ActivitySection memberId={member.id} />
              </Suspense>
            )}
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function NoMember({ error, retry }: { error: Error; retry: () => void }) {
  const t = useTexts('member');
  const code = error instanceof GatehouseError ? error.code : undefined;
  if (code !== 'member_not_found' && code !== 'invalid_request')
    return <ErrorNote error={error} retry={retry} />;
  return (
    <>
      <title>{`${t('notFound')} · Gatehouse`}</title>
      <EmptyState
        icon={IconUserOff}
        title={t('notFound')}
        order={1}
        action={
          <LinkButton from="/$site" to="/$site/members">
            {t('toMembers')}
          </LinkButton>
        }
      >
        {t('notFoundText')}
      </EmptyState>
    </>
  );
}
