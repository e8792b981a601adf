import type { LoginProvider } from '@gatehouse/client';
import { Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Notice } from '../../components/feedback/notice.tsx';
import { ObjectPage } from '../../components/feedback/object-page.tsx';
import { IconKey } from '../../components/icons/icons.ts';
import { BackLink } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Section } from '../../components/layout/section.tsx';
import { RedirectUri } from '../../components/login-providers/redirect-uri.tsx';
import { RegistrationSteps } from '../../components/login-providers/registration-steps.tsx';
import { Disclosure } from '../../components/page/disclosure.tsx';
import { StateText } from '../../components/state/state-text.tsx';
import { useTexts } from '../../languages/texts.tsx';
import type { Version } from '../../queries/version.ts';
import { useLoginProvider } from '../../queries/ways-in/login-providers.ts';
import { SettingsSection } from './settings-section.tsx';
import { TestSection } from './test-section.tsx';

/** One login provider: whether it works, and its settings. */
export function ProviderPage() {
  const t = useTexts('login');
  const { providerId } = useParams({ from: '/$site/settings/login/$providerId' });
  const query = useLoginProvider(providerId);
  return (
    <ObjectPage
      query={query}
      back={<BackLink to="/$site/settings/login">{t('title')}</BackLink>}
      missing={{
        code: 'login_provider_not_found',
        icon: IconKey,
        title: t('notFound'),
        text: t('notFoundText'),
      }}
    >
      {(saved) => <FoundProvider key={providerId} saved={saved} />}
    </ObjectPage>
  );
}

function FoundProvider({ saved }: { saved: Version<LoginProvider> }) {
  const t = useTexts('login');
  const provider = saved.data;
  const { name, type, enabled, memberCount, redirectUri } = provider;
  return (
    <>
      <PageHeader
        title={name}
        description={`${t(`type.${type}`)} · ${t('members', { count: memberCount })}`}
        state={<StateText state={enabled ? 'good' : 'neutral'}>{t(enabled ? 'on' : 'off')}</StateText>}
        back={<BackLink to="/$site/settings/login">{t('title')}</BackLink>}
      />
      <Stack gap="xl">
        {!enabled && <Notice state="neutral">{t('notOffered')}</Notice>}
        <TestSection provider={provider} />
        <SettingsSection saved={saved} />
        <Section title={t('redirectUri')} description={t('redirectUriHelp')}>
          <Stack gap="md">
            <div>
              <RedirectUri uri={redirectUri} />
            </div>
            <Disclosure title={t(`registerText.${type}`)}>
              <RegistrationSteps type={type} />
            </Disclosure>
          </Stack>
        </Section>
      </Stack>
    </>
  );
}
