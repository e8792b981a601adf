import { expect, test } from 'vitest';
import { coveringTrigrams, trigramsOf } from './text-search.ts';

test.each([
  ['ann', ['ann']],
  ['anna', ['ann', 'nna']],
  ['ann@bee.example', ['ann', 'bee', 'exa', 'xam', 'amp', 'mpl', 'ple']],
  ['aaaaa', ['aaa']],
  ['zoë', ['zoë']],
  ['𝔸da', ['𝔸da']],
  ['an', []],
  ['an be', []],
  ['...', []],
  ['', []],
])('an index can find %j by its trigrams of letters and digits', (text, trigrams) => {
  expect(trigramsOf(text)).toEqual(trigrams);
});

test.each([
  ['ann', ['ann']],
  ['anna', ['ann', 'nna']],
  ['ottoline', ['ott', 'oli', 'ine']],
  ['a@b.example', ['a@b', '.ex', 'amp', 'ple']],
  ['aaaaaa', ['aaa']],
  ['𝔸da 𝔹yron', ['𝔸da', ' 𝔹y', 'ron']],
])('%j is covered by as few trigrams as possible', (text, trigrams) => {
  expect(coveringTrigrams(text)).toEqual(trigrams);
});
