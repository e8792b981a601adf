import { Stack } from '@mantine/core';
import { LinkText } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { lastSite } from '../../session/last-site.ts';
import { useMe } from '../../session/me.ts';
import { Appearance } from './appearance.tsx';
import { NameForm } from './name-form.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';

/** The operator's own account, the same on every site. */
export function MePage() {
  const t = useTexts('me');
  const { operator, sites } = useMe();
  const site = lastSite(sites);
  return (
    <>
      <PageHeader
        title={t('title')}
        description={operator.email}
        back={
          site && (
            <LinkText to="/$site" params={{ site: site.slug }} size="sm" display="inline-block" mb="xs">
              {t('backTo', { site: site.title })}
            </LinkText>
          )
        }
      />
      <Stack gap="xl" maw="44rem">
        <NameForm />
        <Appearance />
        <Passkeys />
        <Sessions />
      </Stack>
    </>
  );
}
