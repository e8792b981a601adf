import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { availableLanguages, chooseLanguage, inMinutes, textsOf } from './languages.ts';

const english = textsOf('en');

test('English comes first, and every file is one of the languages that the contract names', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.json'));
  expect(availableLanguages[0]).toBe('en');
  expect(availableLanguages.map((language) => `${language}.json`).sort()).toEqual(files.sort());
});

describe.each(availableLanguages)('%s', (language) => {
  const texts = textsOf(language);

  test('has the same texts as English', () => {
    expect(Object.keys(texts)).toEqual(Object.keys(english));
    expect(Object.values(texts).filter((text) => text.trim() === '')).toEqual([]);
  });

  test('has the same placeholders', () => {
    expect(placeholders(texts)).toEqual(placeholders(english));
  });

  test('is translated', () => {
    const same = Object.entries(texts).filter(
      ([name, text]) => text.includes(' ') && text === english[name as keyof typeof english],
    );
    expect(language === 'en' ? [] : same).toEqual([]);
  });

  test('is supported by the platform’s formatters', () => {
    expect(Intl.RelativeTimeFormat.supportedLocalesOf(language)).toEqual([language]);
    expect(inMinutes(language, 10)).toContain('10');
  });
});

function placeholders(texts: Readonly<Record<string, string>>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, (text.match(/\{\w+\}/g) ?? []).sort()]),
  );
}

test('an unknown language falls back to English', () => {
  expect(textsOf('tlh')).toEqual(english);
  expect(textsOf('__proto__')).toEqual(english);
});

describe('the language of a response', () => {
  const all = ['en', 'de', 'fr', 'es', 'ja', 'pt-BR'];
  test.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['DE-at', 'de'],
    ['de-Latn-DE-1996', 'de'],
    ['ja-x-private', 'ja'],
    ['pt-br', 'pt-BR'],
    ['pt', 'pt-BR'],
    ['nl, fr;q=0.8, de;q=0.9', 'de'],
    ['fr;q=0.8, de;q=0.8', 'fr'],
    ['de;q=0, fr;q=0.1', 'fr'],
    ['nl, *;q=0.5', 'en'],
    ['en;q=0, *;q=0.5', 'de'],
    ['en;q=0', 'de'],
    ['*, de;q=0.5', 'en'],
    ['fr;q=0.1234, es ; q=1.000', 'es'],
    ['de;q=x, es', 'es'],
    [';;,,;q=,de_AT, es', 'es'],
    [`${'x'.repeat(2_000)}, de`, 'en'],
  ])('%s: %s', (header, language) => {
    expect(chooseLanguage(header, all)).toBe(language);
  });

  test('is the site’s first language if the visitor accepts none of its languages', () => {
    expect(chooseLanguage('en, de', ['ja', 'fr'])).toBe('ja');
    expect(chooseLanguage('ja;q=0, fr;q=0', ['ja', 'fr'])).toBe('ja');
    expect(chooseLanguage('de', [])).toBe('en');
  });

  test('is always one of those offered', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'de-AT,;q=0.5 *1x\u00e9') }), (header) => {
        expect(all).toContain(chooseLanguage(header, all));
      }),
    );
  });
});
