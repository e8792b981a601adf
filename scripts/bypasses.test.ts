import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

const folder = path.resolve(import.meta.dirname, '../docs/security');
const document = readFileSync(path.join(folder, 'bypasses.md'), 'utf8');

/** The files with tests, by their names in the document. */
const files = new Map(
  [...document.matchAll(/^\[(\w+)\]: (\S+)$/gm)].map(([, name, file]) => [name!, path.join(folder, file!)]),
);
const rows = [...document.matchAll(/^\| (.*) \| (.*) \| (.*) \|$/gm)]
  .map(([, published = '', happened = '', tests = '']) => ({ published, happened, tests }))
  .filter(({ published }) => published !== 'Published');

test('each bypass has a public source, an explanation and tests', () => {
  expect(rows.length).toBeGreaterThan(40);
  for (const { published, happened, tests } of rows) {
    expect(published).toMatch(/\]\(https:\/\/\S+\)/);
    expect(happened).toMatch(/\.$/);
    expect(tests).toMatch(/^\[\w+\] “/);
  }
});

const titles = new Map([...files].map(([name, file]) => [name, titlesOf(file)]));

test('each test that the document names exists in the file that it names', () => {
  for (const { tests } of rows) {
    const groups = [...tests.matchAll(/\[(\w+)\] ((?:“[^”]+”(?:, )?)+)/g)];
    expect(groups.map(([group]) => group).join('; ')).toBe(tests);
    for (const [, file = '', list = ''] of groups)
      for (const title of quotedIn(list))
        expect([file, title, titles.get(file)?.has(title)]).toEqual([file, title, true]);
  }
});

test('each test that the introduction names exists', () => {
  const introduction = document.slice(0, document.indexOf('\n## '));
  const all = new Set([...titles.values()].flatMap((each) => [...each]));
  expect(quotedIn(introduction).length).toBeGreaterThan(3);
  expect(quotedIn(introduction).filter((title) => !all.has(title))).toEqual([]);
});

test('each file of tests is used', () => {
  for (const name of files.keys()) expect(document).toContain(`[${name}] “`);
});

function quotedIn(text: string): string[] {
  return [...text.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title.replace(/\s+/g, ' '));
}

interface Node {
  readonly type?: string;
  readonly start: number;
  readonly end: number;
  /** Of a call. */
  readonly callee?: Node;
  readonly arguments?: readonly Node[];
  /** Of a property. */
  readonly key?: Node;
  readonly value?: Node;
}

/** The titles of the tests in a file, and the notes of its tricks. */
function titlesOf(file: string): ReadonlySet<string> {
  const source = readFileSync(file, 'utf8');
  const found = new Set<string>();
  const textOf = (node?: Node) => (node ? source.slice(node.start, node.end) : '');
  const add = (node?: Node) => void found.add(textOf(node).replace(/^(['`])(.*)\1$/s, '$2'));
  const visit = (child: unknown): void => {
    if (typeof child !== 'object' || child === null) return;
    const node = child as Node;
    if (node.type === 'CallExpression' && /^(?:test|trick)\b/.test(textOf(node.callee)))
      add(node.arguments?.[0]);
    if (node.type === 'Property' && textOf(node.key) === 'note') add(node.value);
    for (const each of Object.values(child)) visit(each);
  };
  visit(parseAst(source, { lang: 'ts' }, file));
  return found;
}
