import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { quotedIn, titlesOf } from './test-titles.ts';

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
