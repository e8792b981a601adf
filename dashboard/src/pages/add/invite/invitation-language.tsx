import { siteLanguages } from '@gatehouse/contract/languages';
import { Select } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';
import { useSavedSite } from '../../../queries/saved-site.ts';

interface InvitationLanguageProps {
  /** Null for the default language of the site. */
  language: string | null;
  choose: (language: string | null) => void;
}

/** The language of the email, if the site has several. */
export function InvitationLanguage({ language, choose }: InvitationLanguageProps) {
  const t = useTexts('add');
  const languages = useSavedSite().data?.data.languages ?? [];
  if (languages.length < 2) return null;
  return (
    <Select
      label={t('invite.language')}
      value={language ?? languages[0]!}
      onChange={choose}
      data={languages.map((tag) => ({ value: tag, label: siteLanguages[tag] ?? tag }))}
      allowDeselect={false}
    />
  );
}
