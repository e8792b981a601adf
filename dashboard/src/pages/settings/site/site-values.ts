import type { Site } from '@gatehouse/client';
import { changedFields, type FormSection } from '../form/form-section.ts';

export interface SiteValues {
  title: string;
  timeZone: string;
  /** The default language is the first one. */
  languages: string[];
  showsSetUpSteps: boolean;
}

export const siteSection: FormSection<SiteValues> = {
  fields: ['title', 'timeZone', 'languages', 'showsSetUpSteps'],
  toValues: ({ title, timeZone, languages, showsSetUpSteps }: Site) => ({
    title,
    timeZone,
    languages,
    showsSetUpSteps,
  }),
  toChanges: (site, values) =>
    changedFields(siteSection.toValues(site), { ...values, title: values.title.trim() }),
  validate: (t) => ({ title: (title) => (title.trim() === '' ? t('titleMissing') : null) }),
};
