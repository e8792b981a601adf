import { maxNameLength } from '@gatehouse/contract/limits';
import { Stack, Switch, TextInput } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';
import { SectionForm } from '../form/section-form.tsx';
import { LanguagesField } from './languages-field.tsx';
import { siteSection } from './site-values.ts';
import { TimeZoneField } from './time-zone-field.tsx';

/** The title, the time zone and the languages of the site, and whether its overview shows the set-up steps. */
export function SiteSection() {
  const t = useTexts('settings');
  return (
    <SectionForm section={siteSection} label={t('section.site')}>
      {(form) => (
        <Stack>
          <TextInput
            {...form.getInputProps('title')}
            label={t('siteTitle')}
            description={t('siteTitleHelp')}
            maxLength={maxNameLength}
          />
          <TimeZoneField {...form.getInputProps('timeZone')} />
          <LanguagesField
            languages={form.values.languages}
            choose={(languages) => form.setFieldValue('languages', languages)}
            error={form.errors.languages}
          />
          <Switch
            {...form.getInputProps('showsSetUpSteps', { type: 'checkbox' })}
            label={t('showsSetUpSteps')}
            description={t('showsSetUpStepsHelp')}
          />
        </Stack>
      )}
    </SectionForm>
  );
}
