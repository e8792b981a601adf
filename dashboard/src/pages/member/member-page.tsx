import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { ObjectPage } from '../../components/feedback/object-page.tsx';
import { IconUserOff } from '../../components/icons/icons.ts';
import { BackLink } from '../../components/layout/links.tsx';
import { RowsSkeleton } from '../../components/layout/skeletons.tsx';
import { Beside } from '../../components/page/beside.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { memberQuery, type SavedMember } from '../../queries/members/member.ts';
import { useSiteApi } from '../../queries/site-api.ts';
import { useMay } from '../../session/site.ts';
import { AccessSection } from './access/access-section.tsx';
import { EventsSection } from './events-section.tsx';
import { GroupsSection } from './groups-section.tsx';
import { MemberHeader } from './header/member-header.tsx';
import { UndeliveredNote } from './header/undelivered-note.tsx';
import { IdentitiesSection } from './login/identities-section.tsx';
import { PasskeysSection } from './login/passkeys-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { AccessTokensSection } from './tokens/access-tokens-section.tsx';

/** The page of one member. */
export function MemberPage() {
  const { memberId } = useParams({ from: '/$site/members/$memberId' });
  const t = useTexts('member');
  const query = useQuery(memberQuery(useSiteApi(), memberId));
  return (
    <ObjectPage
      query={query}
      back={<BackLink to="/$site/members">{t('toMembers')}</BackLink>}
      missing={{
        code: 'member_not_found',
        icon: IconUserOff,
        title: t('notFound'),
        text: t('notFoundText'),
      }}
    >
      {(saved) => (
        <>
          <MemberHeader member={saved.data} />
          <Suspense>
            <UndeliveredNote key={memberId} member={saved.data} />
          </Suspense>
          <MemberSections
            // What was begun for one member must not apply to the next.
            key={memberId}
            saved={saved}
          />
        </>
      )}
    </ObjectPage>
  );
}

function MemberSections({ saved }: { saved: SavedMember }) {
  const mayFollow = useMay('events:read');
  const maySeeRules = useMay('site:read');
  const { data: member } = saved;
  return (
    <Beside
      aside={
        mayFollow && (
          <Suspense fallback={<RowsSkeleton />}>
            <EventsSection memberId={member.id} />
          </Suspense>
        )
      }
    >
      <Stack gap="xl">
        <ProfileSection saved={saved} />
        <GroupsSection member={member} />
        {maySeeRules && <AccessSection member={member} />}
        <SessionsSection member={member} />
        <PasskeysSection member={member} />
        <IdentitiesSection member={member} />
        <AccessTokensSection member={member} />
      </Stack>
    </Beside>
  );
}
