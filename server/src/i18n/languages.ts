import { readFileSync } from 'node:fs';
import { siteLanguages } from '@gatehouse/contract/languages';
import Negotiator from 'negotiator';
import { sourceFile } from '../base/installation.ts';

/** The name of a text of the pages and emails, as in `en.json`. */
export type TextName = keyof typeof import('./en.json');
export type Texts = Readonly<Record<TextName, string>>;

const defaultLanguage = 'en';
const folder = sourceFile('i18n/');

/** The tags (RFC 5646) of all languages, English first. Each has a file in this folder. */
export const availableLanguages: readonly string[] = Object.keys(siteLanguages);

const english: Texts = readTexts(defaultLanguage);
const texts = new Map(
  availableLanguages.map((language) => [language, { ...english, ...readTexts(language) }]),
);

/** The texts of a language. Missing texts and unknown languages fall back to English. */
export function textsOf(language: string): Texts {
  return texts.get(language) ?? english;
}

const minuteFormats = new Map<string, Intl.NumberFormat>();

/** "10 minutes", in one of the available languages. */
export function inMinutes(language: string, minutes: number): string {
  let format = minuteFormats.get(language);
  if (!format) {
    // Takes longer than the rest of an email.
    format = new Intl.NumberFormat(language, { style: 'unit', unit: 'minute', unitDisplay: 'long' });
    minuteFormats.set(language, format);
  }
  return format.format(minutes);
}

// Browsers send a few dozen characters.
const maxAcceptLanguageLength = 1_000;

/**
 * The language of a response: the offered one that the visitor prefers (RFC 9110, section 12.5.4), where `de-AT`
 * matches `de`; otherwise the first offered language that the visitor does not exclude.
 */
export function chooseLanguage(acceptLanguage: string | undefined, offered: readonly string[]): string {
  const header = acceptLanguage?.slice(0, maxAcceptLanguageLength) ?? '';
  const negotiator = new Negotiator({ headers: { 'accept-language': `${header}, *;q=0.001` } });
  return negotiator.language([...offered]) ?? offered[0] ?? defaultLanguage;
}

function readTexts(language: string): Texts {
  return JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'));
}
