import type { EmailTexts } from '@gatehouse/client';
import { expect, test } from 'vitest';
import { areSaved, haveChanged, toChangedTexts, toTextsValues } from './texts-values.ts';

const english: EmailTexts = {
  language: 'en',
  greeting: 'Dear rower,',
  closing: null,
  welcome: null,
  defaults: { greeting: 'Hello,' },
};
const german: EmailTexts = { ...english, language: 'de', greeting: null, defaults: { greeting: 'Hallo,' } };
const saved = [english, german];

test('the languages that have changed are sent, each with all its texts', () => {
  const values = toTextsValues(saved);
  expect(toChangedTexts(saved, values)).toEqual([]);
  const changed = { ...values, de: { ...values.de!, closing: ' Bis bald!\n' } };
  expect(toChangedTexts(saved, changed)).toEqual([
    ['de', { greeting: null, closing: 'Bis bald!', welcome: null }],
  ]);
  const emptied = { ...values, en: { ...values.en!, greeting: ' ' } };
  expect(toChangedTexts(saved, emptied)).toEqual([['en', { greeting: null, closing: null, welcome: null }]]);
});

test('a change by somebody else counts in the languages that are saved', () => {
  const newer = { ...english, closing: 'See you!' };
  expect(haveChanged(saved, [newer])).toBe(true);
  expect(haveChanged(saved, [german])).toBe(false);
});

test('texts are saved whose response was lost, although the service has removed spaces from them', () => {
  const sent = { greeting: 'Dear rower,', closing: 'See you! \n\n\nThe club', welcome: null };
  expect(areSaved(sent, { ...english, closing: 'See you!\n\nThe club' })).toBe(true);
  expect(areSaved(sent, { ...english, closing: 'See you!' })).toBe(false);
  expect(areSaved(sent, english)).toBe(false);
});
