import { directionOf } from './direction.ts';

const storageName = 'gatehouse-language';
const usual = 'en';

/** The languages of the dashboard, by their tags (RFC 5646), each with its own name for itself. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
} as const;

export type Language = keyof typeof languages;

/** The language of this visit: what the operator chose in this browser, or else the first of the browser's that there is. */
export const language: Language = chooseLanguage([readChoice(), ...navigator.languages]);

export const direction = directionOf(language);

/** Keeps the choice in this browser, null for the browser's own language, and opens the page anew in it. */
export function switchLanguage(chosen: Language | null): void {
  if (chosen) localStorage.setItem(storageName, chosen);
  else localStorage.removeItem(storageName);
  location.reload();
}

/** What the operator chose in this browser; null when the browser decides. */
export function readChoice(): Language | null {
  const stored = localStorage.getItem(storageName);
  return stored !== null && stored in languages ? (stored as Language) : null;
}

function chooseLanguage(wanted: readonly (string | null)[]): Language {
  const tags = wanted.flatMap((tag) => (tag ? [tag.toLowerCase().split('-')[0]!] : []));
  return (tags.find((tag) => tag in languages) ?? usual) as Language;
}
