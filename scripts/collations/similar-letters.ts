import { readFileSync, writeFileSync } from 'node:fs';
import {
  baseLetters,
  replaceLetters,
} from '../../server/src/domain/access-rules/decision/names/base-letters.ts';

// `node scripts/collations/similar-letters.ts`: writes the letters that a collation reads as others although Unicode
// does not relate them, from the table of `read-tables.ts`.

const table = new URL('../../server/test/gate/collations.json', import.meta.url);
const target = new URL(
  '../../server/src/domain/access-rules/decision/names/similar-letters.json',
  import.meta.url,
);
const tables: Record<string, Record<string, string>> = JSON.parse(readFileSync(table, 'utf8'));

/** Old characters that collations read in ways that contradict each other. */
const unclear = 'ٵٶٷٸﯝﷺĿŀ';

const pairs = Object.entries(tables).flatMap(([collations, groups]) =>
  Object.entries(groups).flatMap(([text, members]) =>
    [...members].map((member) => ({ text, member, isGeneral: collations === 'general_ci' })),
  ),
);
/** Marks above a letter that stand for a letter. */
const marks = new Map(
  pairs
    .filter(({ text, member, isGeneral }) => !isGeneral && /\p{M}/u.test(member) && isLetters(baseOf(text)))
    .map(({ text, member }) => [member, baseOf(text)]),
);

/** Texts that are read alike, by one of them. */
const alike = new Map<string, string>();
/** What is ignored. */
const ignored = new Set<string>();
for (const { text, member, isGeneral } of pairs) {
  if (text === '\ufffd' || unclear.includes(member)) continue;
  const known = isGeneral ? new Map([['ß', 's']]) : marks;
  const [one, other] = [baseOf(replaceLetters(text, known)), baseOf(replaceLetters(member, known))];
  if (one === other || (!isLetters(one) && !isLetters(other)) || other === '') continue;
  if (one === '') ignored.add(other);
  else unite(one, other);
}

const letters = new Map([...ignored].map((letter) => [letter, '']));
for (const text of alike.keys())
  if ([...text].length === 1 && chosen(text) !== text) letters.set(text, chosen(text));
// What a letter is read as may contain another such letter.
for (const [letter, text] of letters) letters.set(letter, replaceLetters(text, letters));
for (const [mark, text] of marks) marks.set(mark, replaceLetters(text, letters));
const written = JSON.stringify({ letters: grouped(letters), marks: grouped(marks) }, undefined, 1);
writeFileSync(target, `${written.replace(/[^\0-\x7f]/g, escaped)}\n`);

function baseOf(text: string): string {
  return baseLetters(text.normalize('NFC').toLowerCase().replaceAll('ß', 'ss'));
}

function isLetters(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function chosen(text: string): string {
  const other = alike.get(text);
  return other === undefined || other === text ? text : chosen(other);
}

function unite(one: string, other: string): void {
  const [first, second] = [chosen(one), chosen(other)].sort((a, b) => preferenceOf(a) - preferenceOf(b)) as [
    string,
    string,
  ];
  alike.set(first, first);
  alike.set(second, first);
}

/** A text of several letters first, because only single letters are replaced; then ASCII. */
function preferenceOf(text: string): number {
  const byLength = [...text].length > 1 ? 0 : 1e8;
  return byLength + (/^[a-z0-9]+$/.test(text) ? 0 : 1e7) + text.codePointAt(0)!;
}

function grouped(map: ReadonlyMap<string, string>): Record<string, string> {
  const groups: Record<string, string> = {};
  for (const [letter, text] of map) groups[text] = (groups[text] ?? '') + letter;
  return groups;
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
