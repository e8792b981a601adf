import { expect, test } from 'vitest';
import { directionOf } from './direction.ts';

test('languages that are written from right to left are shown so', () => {
  expect(['ar', 'he', 'fa', 'ur'].map(directionOf)).toEqual(['rtl', 'rtl', 'rtl', 'rtl']);
  expect(['en', 'de', 'ja', 'fr-FR'].map(directionOf)).toEqual(['ltr', 'ltr', 'ltr', 'ltr']);
});
