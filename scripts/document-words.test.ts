import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** Words that documents do not use, each with the one that a reader would search for. */
const replaced: readonly [word: RegExp, better: string][] = [
  [/\b(ask|asks|asked|asking)\b/i, 'request, check'],
  [/\b(tell|tells|told|telling)\b/i, 'say, notify, report'],
  [/\bkept\b/i, 'stored, stays'],
  [/\bstrangers?\b/i, 'anonymous'],
  [/\bshut\b/i, 'denied, blocked'],
  [/\bdoors?\b/i, 'access'],
  [/\bwhoever\b/i, 'a person who'],
  [/\b(go|goes|going|went) on\b/i, 'continue'],
  [/\b(read|reads) on\b/i, 'continue to read'],
  [/\b(give|gives|gave) back\b/i, 'release, return'],
  [/\b(hold|holds|held) up\b/i, 'block, delay'],
  [/\b(hasten|linger|lingers|mend|mends|mended|departed|rehearsal|realm)\b/i, 'a standard term'],
  [/\b(carried|carries)\b/i, 'granted, transferred'],
  [/\bin turn\b/i, 'sequentially, alternately'],
  [/\banswered\b|\banswers [1-5]\d\d\b/i, 'responded, returns'],
  [/\bmails\b|\b(a|the|by) letter\b/i, 'email'],
  [/\bcolour/i, 'color'],
];

const documents = globSync(
  ['*.md', 'docs/*.md', 'docs/{decisions,operations,security}/*.md', 'bench/history/*.md'],
  {
    cwd: root,
  },
).filter((file) => !/CHANGELOG|bypasses|findings/.test(file));

test.each(documents)('%s uses the words of the field', (document) => {
  const found = proseOf(readFileSync(path.join(root, document), 'utf8'))
    .split('\n')
    .flatMap((line) =>
      replaced.filter(([word]) => word.test(line)).map(([, better]) => `${line.trim()} → ${better}`),
    );
  expect(found).toEqual([]);
});

/** The text without code, options, quotations, links and the glossary, which names the words that it replaces. */
function proseOf(text: string): string {
  return text
    .replace(/^## Glossary\n[\s\S]*?(?=^## )/m, '')
    .replace(/^ *```[\s\S]*?^ *```$/gm, '')
    .replace(/`[^`\n]*`|“[^”]*”|\]\([^)]*\)|--\w[\w-]*/g, '');
}
