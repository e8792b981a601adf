import type { Site } from '@gatehouse/client';
import { Fieldset, Stack } from '@mantine/core';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { PermittedFields } from '../../components/forms/permitted-fields.tsx';
import { SaveBar } from '../../components/forms/save-bar.tsx';
import { IconEye } from '../../components/icons/icons.ts';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { FormSkeleton } from '../../components/layout/skeletons.tsx';
import { Beside } from '../../components/page/beside.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSavedSite } from '../../queries/saved-site.ts';
import type { Version } from '../../queries/version.ts';
import { useMay } from '../../session/site.ts';
import { HeadersSection } from './headers-section.tsx';
import { HostsSection } from './hosts-section.tsx';
import { LanguagesSection } from './languages-section.tsx';
import { LoginSection } from './login-section.tsx';
import { LookSection } from './look-section.tsx';
import { Preview } from './preview.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { useSettingsForm } from './settings-form.ts';
import { SignUpSection } from './sign-up-section.tsx';
import { SiteSection } from './site/site-section.tsx';

/** The settings of the site: title, domain, sign-up, languages and appearance. */
export function SettingsPage() {
  const t = useTexts('settings');
  const { data, error, refetch } = useSavedSite();
  const reload = async () => (await refetch({ throwOnError: true })).data!;
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      {error && !data && <ErrorNote error={error} retry={refetch} />}
      {!data && !error && <FormSkeleton />}
      {data && <Settings saved={data} reload={reload} />}
    </>
  );
}

function Settings({ saved, reload }: { saved: Version<Site>; reload: () => Promise<Version<Site>> }) {
  const t = useTexts('settings');
  const mayWrite = useMay('site:write');
  const { form, base, understand, address, ...state } = useSettingsForm(saved, reload);
  return (
    <>
      {!mayWrite && (
        <Notice state="neutral" icon={IconEye} mb="lg">
          {t('readOnly')}
        </Notice>
      )}
      <Beside aside={<Preview values={form.values} savedTitle={base.data.title} />}>
        <Fieldset variant="unstyled" m={0} disabled={!mayWrite} aria-label={t('title')}>
          <Stack gap="lg">
            <SiteSection form={form} understand={understand} address={address} />
            <PermittedFields permissions={['login-links:write']}>
              <HostsSection form={form} />
            </PermittedFields>
            <LanguagesSection form={form} />
            <LoginSection />
            <PermittedFields permissions={['members:write', 'access-groups:write']}>
              <SignUpSection form={form} />
            </PermittedFields>
            <SessionsSection form={form} />
            <LookSection form={form} hasLogo={base.data.logoUrl !== null} disabled={!mayWrite} />
            <PermittedFields permissions={['login-links:write']}>
              <HeadersSection form={form} />
            </PermittedFields>
          </Stack>
        </Fieldset>
      </Beside>
      <SaveBar {...state} />
    </>
  );
}
