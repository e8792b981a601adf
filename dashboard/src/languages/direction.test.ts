import { expect, test } from 'vitest';
import { directionOf } from './direction.ts';

test('right-to-left languages are shown from right to left', () => {
  expect(['ar', 'he', 'fa', 'ur'].map(directionOf)).toEqual(['rtl', 'rtl', 'rtl', 'rtl']);
  expect(['en', 'de', 'ja', 'fr-FR'].map(directionOf)).toEqual(['ltr', 'ltr', 'ltr', 'ltr']);
});
