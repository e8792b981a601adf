import { Alert, Grid, Stack } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useTexts } from '../../languages/texts.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SaveBar } from '../../parts/save-bar.tsx';
import { RowsSkeleton } from '../../parts/skeletons.tsx';
import { useMay } from '../../session/site.ts';
import { LanguagesSection } from './languages-section.tsx';
import { LookSection } from './look-section.tsx';
import { Preview } from './preview.tsx';
import classes from './settings.module.css';
import { useSettingsForm } from './settings-form.ts';
import { type SavedSite, useSavedSite } from './settings-query.ts';
import { SignUpSection } from './sign-up-section.tsx';
import { SiteSection } from './site-section.tsx';

/** What the site is called, where it is, who may join, and how its pages and mails look. */
export function SettingsPage() {
  const t = useTexts('settings');
  const { data, error, refetch } = useSavedSite();
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      {error && !data && <ErrorNote error={error} retry={refetch} />}
      {!data && !error && <RowsSkeleton />}
      {data && <Settings saved={data} reload={refetch} />}
    </>
  );
}

function Settings({ saved, reload }: { saved: SavedSite; reload: () => Promise<unknown> }) {
  const t = useTexts('settings');
  const mayWrite = useMay('site:write');
  const { form, base, understand, address, ...state } = useSettingsForm(saved, reload);
  return (
    <>
      {!mayWrite && (
        <Alert variant="light" color="gray" icon={<IconEye aria-hidden />} mb="lg">
          {t('readOnly')}
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <fieldset className={classes.fields} disabled={!mayWrite} aria-label={t('title')}>
            <Stack gap="lg">
              <SiteSection form={form} understand={understand} address={address} />
              <LanguagesSection form={form} />
              <SignUpSection form={form} />
              <LookSection form={form} hasLogo={base.site.logoUrl !== null} disabled={!mayWrite} />
            </Stack>
          </fieldset>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <div className={classes.aside}>
            <Preview values={form.values} savedTitle={base.site.title} />
          </div>
        </Grid.Col>
      </Grid>
      <SaveBar {...state} />
    </>
  );
}
