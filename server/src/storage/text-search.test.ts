import { expect, test } from 'vitest';
import { trigramsOf } from './text-search.ts';

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
