import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '..');

const rows = rowsOf(readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8'));
/** The words of the glossary's last column, which must not occur in identifiers, in lowercase. */
const oldWords = new Set(rows.flatMap(({ replaced }) => replaced).map((word) => word.toLowerCase()));
/** The terms whose words for the same thing must not occur in comments either. */
const termsOfComments = ['attempt', 'range', 'scan', 'release', 'continue'];

/** Folders that use a word of another program. What pays at Stripe is a customer, and Outlook a program. */
const foreign = [
  { folder: 'examples/stripe/', word: 'customer' },
  { folder: 'server/test/integrations/', word: 'customer' },
  { folder: 'member-lists/src/known/', word: 'outlook' },
  { folder: 'member-lists/src/known/', word: 'guest' },
  { folder: 'member-lists/test/exports/', word: 'outlook' },
];

test('the glossary explains about forty terms and replaces old words', () => {
  expect(oldWords.size).toBeGreaterThan(40);
  for (const word of ['ask', 'stranger', 'shut', 'departed', 'refusal', 'hasten', 'tell', 'walk', 'stretch'])
    expect(oldWords).toContain(word);
  for (const term of ['webhook', 'delivery', 'attempt', 'message', 'receiver', 'replay'])
    expect(rows.map((row) => row.term)).toContain(term);
});

test('no identifier uses a word that the glossary replaces', () => {
  const files = trackedFiles().filter((file) => /\.(ts|tsx|js|mjs)$/.test(file));
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) => oldWordsIn(readFileSync(path.join(root, file), 'utf8'), file));
  expect(found).toEqual([]);
});

test('no comment uses a verb that the glossary replaces', () => {
  const words = rows.filter(({ term }) => termsOfComments.includes(term)).flatMap(({ replaced }) => replaced);
  const phrases = words.map((word) => word.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
  expect(phrases).toContain('go on');
  const form = new RegExp(`^\\s*(?://|/?\\*).*\\b(?:${phrases.join('|')})s?\\b`, 'i');
  const found = trackedFiles()
    .filter((file) => /\.(ts|tsx|js|mjs)$/.test(file) && file !== 'scripts/glossary.test.ts')
    .flatMap((file) =>
      readFileSync(path.join(root, file), 'utf8')
        .split('\n')
        .filter((line) => form.test(line)),
    );
  expect(found).toEqual([]);
});

test('no table, column, translation or file is named by such a word', () => {
  const names = [...trackedFiles(), ...translationKeys(), ...columnNames()];
  expect(names.length).toBeGreaterThan(2_000);
  expect(names.filter((name) => oldWordOf(name, name) !== undefined)).toEqual([]);
});

test('an old word is found anywhere', () => {
  const texts = [
    'const ask = 1;',
    'function askAll() {}',
    'class A { #asks = 1; }',
    'type Desk = { isShut: boolean };',
    'const { kept: away } = x;',
    '<Door ask="x" />;',
  ];
  expect(texts.map((text) => oldWordsIn(text, 'file.tsx').length)).toEqual([1, 1, 1, 2, 1, 2]);
  expect(oldWordsIn("// ask\nconst task = 'ask';", 'file.ts')).toEqual([]);
});

function rowsOf(text: string): { term: string; replaced: string[] }[] {
  const [, section] = /## Glossary\n(.*?)\n## /s.exec(text)!;
  const lines = section!.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => {
    const [, term, , replaced] = line.split('|').map((cell) => cell.trim());
    return { term: term!, replaced: replaced!.split(', ') };
  });
}

function oldWordsIn(text: string, file: string): string[] {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    else if (typeof node === 'object' && node !== null) {
      const { type, name } = node as { type?: string; name?: unknown };
      if (/Identifier$/.test(type ?? '') && typeof name === 'string') names.add(name);
      for (const value of Object.values(node)) visit(value);
    }
  };
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file));
  return [...names].flatMap((name) => {
    const word = oldWordOf(name, file);
    return word === undefined ? [] : [`${file}: ${name} contains "${word}"`];
  });
}

/** The old word in a name; of several words, as in `rememberedBrowser`, all have to follow one another. */
function oldWordOf(name: string, file: string): string | undefined {
  const words = name
    .split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase());
  for (let start = 0; start < words.length; start += 1) {
    for (let end = start + 1; end <= Math.min(start + 3, words.length); end += 1) {
      const joined = words.slice(start, end).join('');
      const isForeign = foreign.some(({ folder, word }) => file.startsWith(folder) && joined === word);
      if (oldWords.has(joined) && !isForeign) return joined;
    }
  }
  return undefined;
}

function trackedFiles(): string[] {
  const output = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' });
  return output.split('\n').filter((file) => file !== '');
}

function translationKeys(): string[] {
  return trackedFiles()
    .filter((file) => /\/(i18n|languages\/\w+)\/\w+\.json$/.test(file))
    .flatMap((file) => Object.keys(JSON.parse(readFileSync(path.join(root, file), 'utf8'))));
}

/** The tables and columns of the database. */
function columnNames(): string[] {
  return trackedFiles()
    .filter((file) => /\/migrations\/\d{4}-.*\.sql$/.test(file))
    .flatMap((file) => readFileSync(path.join(root, file), 'utf8').match(/\b[a-z]+_[a-z_]+\b/g) ?? []);
}
