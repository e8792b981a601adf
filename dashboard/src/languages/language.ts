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

/**
 * How dates and numbers are written: in the language of this visit, as where the browser says that its user is (`en-GB`
 * rather than `en`).
 */
export const locale = navigator.languages.find((tag) => baseOf(tag) === language) ?? language;

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

function baseOf(tag: string): string {
  return tag.toLowerCase().split('-')[0]!;
}

function chooseLanguage(wanted: readonly (string | null)[]): Language {
  const tags = wanted.flatMap((tag) => (tag ? [baseOf(tag)] : []));
  return (tags.find((tag) => tag in languages) ?? usual) as Language;
}
