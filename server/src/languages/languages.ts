import { readdirSync, readFileSync } from 'node:fs';

/** A text of the pages and mails, by its name in `en.json`. */
export type TextName = keyof typeof import('./en.json');
export type Texts = Readonly<Record<TextName, string>>;

const usual = 'en';
const folder = new URL('./', import.meta.url);

/** The tags (RFC 5646) of all languages, English first. Each is a file beside this one. */
export const availableLanguages: readonly string[] = [usual, ...otherLanguages()];

const english: Texts = readTexts(usual);
const texts = new Map(
  availableLanguages.map((language) => [language, { ...english, ...readTexts(language) }]),
);

/** The texts of a language; English for what it lacks, and for a language that there is not. */
export function textsOf(language: string): Texts {
  return texts.get(language) ?? english;
}

/** Puts values in the place of `{name}`. A place without a value stays as it is. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}

/** "10 minutes", in the language. */
export function inMinutes(language: string, minutes: number): string {
  const format = new Intl.NumberFormat(language, { style: 'unit', unit: 'minute', unitDisplay: 'long' });
  return format.format(minutes);
}

// Browsers send a few dozen characters.
const longestAcceptLanguage = 1_000;

/**
 * The language of an answer: the visitor's first (RFC 9110, section 12.5.4) that is offered, where `de-AT` is answered by
 * `de` (lookup of RFC 4647, section 3.4); otherwise the first that is offered.
 */
export function chooseLanguage(acceptLanguage: string | undefined, offered: readonly string[]): string {
  const ranges = parseRanges(acceptLanguage?.slice(0, longestAcceptLanguage) ?? '');
  const refused = new Set(ranges.filter(({ quality }) => quality === 0).map(({ range }) => range));
  const candidates = offered.filter((tag) => !refused.has(tag.toLowerCase()));
  const wanted = ranges
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  for (const { range } of wanted) {
    const found = range === '*' ? candidates[0] : lookUp(range, candidates);
    if (found !== undefined) return found;
  }
  return candidates[0] ?? offered[0] ?? usual;
}

interface LanguageRange {
  readonly range: string;
  /** 0 (never this one) to 1. */
  readonly quality: number;
}

function parseRanges(header: string): LanguageRange[] {
  return header.split(',').flatMap((element) => {
    const [, range, quality = '1'] = element.match(languageRange) ?? [];
    return range === undefined ? [] : [{ range: range.toLowerCase(), quality: Number(quality) }];
  });
}

const languageRange =
  /^[ \t]*(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/i;

function lookUp(range: string, offered: readonly string[]): string | undefined {
  for (let subtags = range.split('-'); subtags.length > 0; subtags = withoutLast(subtags)) {
    const found = offered.find((tag) => tag.toLowerCase() === subtags.join('-'));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A single letter only introduces what follows it, so it goes together with it. */
function withoutLast(subtags: readonly string[]): string[] {
  const rest = subtags.slice(0, -1);
  return rest.at(-1)?.length === 1 ? rest.slice(0, -1) : rest;
}

function otherLanguages(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .filter((language) => language !== usual)
    .sort();
}

function readTexts(language: string): Texts {
  return JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'));
}
