import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { quotedIn, titlesOf } from './test-titles.ts';

const folder = path.resolve(import.meta.dirname, '../docs/security');
const document = readFileSync(path.join(folder, 'findings.md'), 'utf8');
const rows = [...document.matchAll(/^\| (.*) \| (.*) \| `?([0-9a-f]{8})`? \| (.*) \|$/gm)].map(
  ([, found = '', closedBy = '', , tests = '']) => ({ found, closedBy, tests }),
);
const files = new Map(
  [...document.matchAll(/^\[(\w+)\]: (\S+)$/gm)].map(([, name, file]) => [name!, path.join(folder, file!)]),
);

test('each finding has what closes it, a commit and tests', () => {
  const tableRows = document.match(/^\| (?!Found |---).*\|$/gm)!;
  expect(rows).toHaveLength(tableRows.length);
  for (const { found, closedBy, tests } of rows) {
    expect([found, closedBy]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/[.*]$/)]);
    expect(tests).toMatch(/^\[\w+\] “/);
  }
});

test('each test that the document names exists in the file that it names', () => {
  const used = new Set<string>();
  for (const { tests } of rows) {
    for (const [, name = '', list = ''] of tests.matchAll(/\[(\w+)\] ((?:“[^”]+”(?:, )?)+)/g)) {
      used.add(name);
      const titles = titlesOf(files.get(name)!);
      for (const title of quotedIn(list))
        expect([name, title, titles.has(title)]).toEqual([name, title, true]);
    }
  }
  expect([...files.keys()].sort()).toEqual([...used].sort());
});
