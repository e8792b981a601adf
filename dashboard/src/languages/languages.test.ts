import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { dashboardErrorCodes } from '@gatehouse/contract/dashboard';
import { describe, expect, test } from 'vitest';
import type { Text } from './text.ts';

const english = 'en';
const languages = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const areas = readdirSync(path.join(import.meta.dirname, english));

describe.each(languages.filter((language) => language !== english))('in the language %s', (language) => {
  test('there are texts for every part of the dashboard', () => {
    expect(readdirSync(path.join(import.meta.dirname, language))).toEqual(areas);
  });

  test.each(areas)('%s says all that the English says, with the same values', (area) => {
    const texts = readTexts(language, area);
    const original = readTexts(english, area);
    expect(Object.keys(texts).sort()).toEqual(Object.keys(original).sort());
    for (const [name, text] of Object.entries(texts)) {
      expect([name, placeholdersOf(text)]).toEqual([name, placeholdersOf(original[name]!)]);
    }
  });

  test.each(areas)('%s has a form for every number that it counts', (area) => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [name, text] of Object.entries(readTexts(language, area))) {
      if (typeof text === 'string') continue;
      // Spanish and French have a form for whole millions, which is the same as `other` for numbers in digits.
      const needed = pluralCategories.filter((category) => category !== 'many').sort();
      expect([name, Object.keys(text).sort()]).toEqual([name, expect.arrayContaining(needed)]);
    }
  });
});

test('there is a text for every error code', () => {
  expect(Object.keys(readTexts(english, 'errors.json'))).toEqual(expect.arrayContaining(dashboardErrorCodes));
});

function readTexts(language: string, area: string): Record<string, Text> {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, language, area), 'utf8'));
}

/** The placeholders of a text, in all its forms. */
function placeholdersOf(text: Text): string[] {
  const forms = typeof text === 'string' ? [text] : Object.values(text);
  return [...new Set(forms.flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();
}
