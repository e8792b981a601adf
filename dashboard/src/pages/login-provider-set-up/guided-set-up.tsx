import type { Site } from '@gatehouse/client';
import { Button, Group, Stack } from '@mantine/core';
import { ErrorNote, FormErrorNote } from '../../components/feedback/error-note.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { LinkButton } from '../../components/layout/links.tsx';
import { Section } from '../../components/layout/section.tsx';
import { ProviderFields } from '../../components/login-providers/provider-fields.tsx';
import type { ProviderType } from '../../components/login-providers/provider-types.ts';
import { issuerOf, type ProviderValues } from '../../components/login-providers/provider-values.ts';
import { RedirectUri } from '../../components/login-providers/redirect-uri.tsx';
import { RegistrationSteps } from '../../components/login-providers/registration-steps.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { redirectUriOf, useSavedSite } from '../../queries/saved-site.ts';
import { useCreation } from './use-creation.tsx';

/** The three parts of a set-up: the redirect URI to copy, what to do at the provider, and what to enter here. */
export function GuidedSetUp({ type }: { type: ProviderType }) {
  const t = useTexts('login');
  const common = useTexts('common');
  const { data: site, error, refetch } = useSavedSite();
  const { form, creation } = useCreation(type);
  return (
    <Stack gap="xl" maw="44rem">
      <Section title={t('copyTitle')} description={t('copyText')}>
        {error && !site && <ErrorNote error={error} retry={refetch} />}
        {site && <NewRedirectUri type={type} site={site.data} values={form.values} />}
      </Section>
      <Section title={t('registerTitle')} description={t(`registerText.${type}`)}>
        <RegistrationSteps type={type} />
      </Section>
      <Section title={t('enterTitle')} description={t('enterText')}>
        <form onSubmit={creation.submit} noValidate>
          <Stack>
            <ProviderFields type={type} form={form} isNew />
            <FormErrorNote failure={creation.failure} />
            <Group justify="flex-end" gap="xs">
              <LinkButton variant="default" from="/$site" to="/$site/settings/login">
                {common('cancel')}
              </LinkButton>
              <Button type="submit" loading={creation.isPending}>
                {t('saveAndTest')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Section>
    </Stack>
  );
}

/** It contains the issuer, so that of some types follows what is entered below. */
function NewRedirectUri({ type, site, values }: { type: ProviderType; site: Site; values: ProviderValues }) {
  const t = useTexts('login');
  const issuer = issuerOf(type, values);
  if (issuer !== null || site.domain === null) {
    return <RedirectUri uri={issuer === null ? null : redirectUriOf(site, issuer)} />;
  }
  return <Notice state="neutral">{t(type === 'microsoft' ? 'tenantFirst' : 'issuerFirst')}</Notice>;
}
