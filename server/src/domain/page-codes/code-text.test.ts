import { expect, test } from 'vitest';
import { findWeakness, generateCode, generatedCodeBits, readTypedCode } from './code-text.ts';
import { codeWords } from './code-words.ts';

test('generated codes have at least 50 bits', () => {
  for (const bits of Object.values(generatedCodeBits)) expect(bits).toBeGreaterThanOrEqual(50);
});

test('no two words are read as the same one, and all are short and plain', () => {
  expect(new Set(codeWords.map((word) => word.replaceAll('o', '0').replaceAll(/[il]/g, '1'))).size).toBe(
    codeWords.length,
  );
  for (const word of codeWords) expect(word).toMatch(/^[a-z]{3,8}$/);
});

test('generated codes can be typed', () => {
  for (let count = 0; count < 200; count += 1) {
    expect(generateCode('words')).toMatch(/^[a-z]+(?:-[a-z]+){4}$/);
    expect(generateCode('characters')).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/);
    for (const type of ['words', 'characters'] as const)
      expect(readTypedCode(generateCode(type))).toMatch(/^[0-9a-z]{10,40}$/);
  }
});

test.each([
  ['otter-canyon-violet', ' Otter  CANYON\u2013violet '],
  ['rowing on the lake!', 'Rowing, on the lake'],
  ['0b1l1-23456', 'OBIL1 23456'],
  ['ÉTÉ-2031-lac', 'e\u0301te\u0301 2031 LAC'],
  ['１２３ａｂｃｄｅ', '123abcde'],
  ['ΟΔΟΣ-ΛΙΜΝΗ', 'οδοσ λιμνη'],
  ['がっこう-すいえい', 'か\u3099っこう すいえい'],
])('"%s" can be typed as "%s"', (code, typed) => {
  expect(readTypedCode(typed)).toBe(readTypedCode(code));
  expect(readTypedCode(code)).toBeDefined();
});

test.each(['', 'seven77', '--- --- ---', '🙂🙂🙂🙂🙂🙂🙂🙂', 'a'.repeat(501)])('"%s" is no code', (typed) => {
  expect(readTypedCode(typed)).toBeUndefined();
});

test.each([
  'aaaaaaaa',
  'abab abab',
  'password',
  'Password1',
  '2031 password',
  '12345678',
  '87654321',
  'abcdefgh',
  'qwertyui',
  'letmein-2031',
  'Rowing Club',
  'rowingclub2031',
  'rowing club rowing club',
  'club.example.org',
  'example.org',
  'Class 7b 2031',
])('"%s" is refused', (code) => {
  const names = ['Rowing Club', 'rowing-club', 'club.example.org', 'club', 'example', 'Class 7b'];
  expect(findWeakness(readTypedCode(code)!, names)).toBeDefined();
});

test.each([
  'rowing on the lake',
  'club of seven otters',
  'kU7xw29pQz',
  'password of otters',
  'すいえいきょうしつにち',
])('"%s" may be chosen', (code) => {
  expect(findWeakness(readTypedCode(code)!, ['Rowing Club', 'club.example.org', 'club'])).toBeUndefined();
});
