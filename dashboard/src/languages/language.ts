import { directionOf } from './direction.ts';

const storageName = 'gatehouse-language';
const defaultLanguage = 'en';

/** The languages of the dashboard by language tag (RFC 5646), each with its own name. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
} as const;

export type Language = keyof typeof languages;

/**
 * The current language: the one that the operator chose in this browser, or else the first supported language of the
 * browser.
 */
export const language: Language = chooseLanguage([readChoice(), ...navigator.languages]);

export const direction = directionOf(language);

/**
 * The locale for dates and numbers: the current language, with the region of the browser if it has one (`en-GB`
 * rather than `en`).
 */
export const locale = navigator.languages.find((tag) => baseOf(tag) === language) ?? language;

/** Saves the choice in this browser, or null for the browser's language, and reloads the page. */
export function switchLanguage(chosen: Language | null): void {
  if (chosen) localStorage.setItem(storageName, chosen);
  else localStorage.removeItem(storageName);
  location.reload();
}

/** The operator's choice in this browser; null for the browser's language. */
export function readChoice(): Language | null {
  const stored = localStorage.getItem(storageName);
  return stored !== null && stored in languages ? (stored as Language) : null;
}

function baseOf(tag: string): string {
  return tag.toLowerCase().split('-')[0]!;
}

function chooseLanguage(wanted: readonly (string | null)[]): Language {
  const tags = wanted.flatMap((tag) => (tag ? [baseOf(tag)] : []));
  return (tags.find((tag) => tag in languages) ?? defaultLanguage) as Language;
}
