/** The languages of login pages and emails by language tag (RFC 5646), each with its own name. English comes first. */
export const siteLanguages: Readonly<Record<string, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ja: '日本語',
};
