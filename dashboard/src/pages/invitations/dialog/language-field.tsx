import { siteLanguages } from '@gatehouse/contract/languages';
import { Select, type SelectProps } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';
import { useSavedSite } from '../../../queries/saved-site.ts';

/** The language of the email, one of those of the site. Nothing for a site with one language. */
export function LanguageField({ input }: { input: SelectProps }) {
  const t = useTexts('invitations');
  const languages = useSavedSite().data?.data.languages ?? [];
  if (languages.length < 2) return null;
  return (
    <Select
      {...input}
      label={t('language')}
      placeholder={siteLanguages[languages[0]!] ?? languages[0]!}
      data={languages.map((tag) => ({ value: tag, label: siteLanguages[tag] ?? tag }))}
      clearable
    />
  );
}
