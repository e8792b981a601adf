import type { Site } from '@gatehouse/client';
import { changedFields, type FormSection } from '../form/form-section.ts';

export interface SiteValues {
  title: string;
  timeZone: string;
  /** The default language is the first one. */
  languages: string[];
}

export const siteSection: FormSection<SiteValues> = {
  fields: ['title', 'timeZone', 'languages'],
  toValues: ({ title, timeZone, languages }: Site) => ({ title, timeZone, languages }),
  toChanges: (site, values) =>
    changedFields(siteSection.toValues(site), { ...values, title: values.title.trim() }),
  validate: (t) => ({ title: (title) => (title.trim() === '' ? t('titleMissing') : null) }),
};
