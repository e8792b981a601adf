import { randomInt } from 'node:crypto';
import { minChosenCodeLength } from '@gatehouse/contract/limits';
import { foldCase, lengthOf } from '../../base/text/text.ts';
import { codeWords } from './code-words.ts';

const wordCount = 5;
/** Digits and letters without those that look like others: I, L and O, and U. */
const characters = '0123456789abcdefghjkmnpqrstvwxyz';
const characterCount = 10;
/** No code is longer, and a longer text must not cost more than one. */
const maxTypedLength = 500;

/** How many bits a guess of a generated code has to find. */
export const generatedCodeBits = {
  words: wordCount * Math.log2(codeWords.length),
  characters: characterCount * Math.log2(characters.length),
};

/** A code of some words, separated by hyphens, or of ten letters and digits in two halves. */
export function generateCode(type: 'words' | 'characters'): string {
  if (type === 'words') return pick(wordCount, codeWords).join('-');
  const picked = pick(characterCount, [...characters]).join('');
  return `${picked.slice(0, characterCount / 2)}-${picked.slice(characterCount / 2)}`;
}

function pick<Item>(count: number, items: readonly Item[]): Item[] {
  return Array.from({ length: count }, () => items[randomInt(items.length)]!);
}

/**
 * A code as it is hashed: only its letters and digits, whatever their case and width (NFKC), and those that look like
 * others as these. Undefined for a text that cannot be a code.
 */
export function readTypedCode(typed: string): string | undefined {
  if (typed.length > maxTypedLength) return undefined;
  const letters = foldCase(typed.normalize('NFKC'))
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');
  return lengthOf(letters) < minChosenCodeLength ? undefined : withoutLookalikes(letters);
}

function withoutLookalikes(letters: string): string {
  return letters.replaceAll('o', '0').replaceAll(/[il]/g, '1');
}

/** What people try first: the words of login pages, the first keys of keyboards, and what comes in order. */
const triedFirst = [
  'password',
  'passwort',
  'contraseña',
  'motdepasse',
  'pagecode',
  'accesscode',
  'zugangscode',
  'gatehouse',
  'letmein',
  'welcome',
  'willkommen',
  'bienvenue',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  '09876543210',
  '1q2w3e4r5t6z',
  '1q2w3e4r5t6y',
  'iloveyou',
  'administrator',
];
const minDifferent = 4;

/** What a guess can be made of: the title, the domains and the label. */
export type KnownNames = readonly string[];

/** Why a code must not be chosen, as the end of a sentence; undefined if it may. @param code as `readTypedCode` returns it */
export function findWeakness(code: string, names: KnownNames): string | undefined {
  if (new Set(code).size < minDifferent) return 'it repeats the same characters';
  const isMadeOf = (text: string) => isHardlyMoreThan(code, plain(text));
  if (triedFirst.some(isMadeOf)) return 'it is one of those that people try first';
  const name = names.find(isMadeOf);
  return name === undefined ? undefined : `it is hardly more than "${name}", which everybody knows`;
}

/** Whether a code is a known text, a part of it or a repetition of it, perhaps with up to four digits around it. */
function isHardlyMoreThan(code: string, known: string): boolean {
  if (known === '') return false;
  // Read as digits, I, L and O are digits too.
  const cores = [code, code.replace(/^[0-9]{1,4}/, ''), code.replace(/[0-9]{1,4}$/, '')];
  return cores.some(
    (core) => core !== '' && (known.includes(core) || core.replaceAll(known, '') === '') && core.length > 3,
  );
}

function plain(text: string): string {
  const letters = foldCase(text.normalize('NFKC')).replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');
  return withoutLookalikes(letters);
}
