import { Stack } from '@mantine/core';
import { BackLink } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { ProvidersSection } from './providers-section.tsx';
import { UsageSection } from './usage-section.tsx';
import { WaysSection } from './ways-section.tsx';

/** How members log in, and how many use each way. */
export function LoginMethodsPage() {
  const t = useTexts('login');
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        back={<BackLink to="/$site/settings">{t('settings')}</BackLink>}
      />
      <Stack gap="xl">
        <WaysSection />
        <ProvidersSection />
        <UsageSection />
      </Stack>
    </>
  );
}
