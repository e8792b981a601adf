import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { quotedIn, titlesOf } from './test-titles.ts';

const folder = path.resolve(import.meta.dirname, '../docs/security');
const index = readFileSync(path.join(folder, 'README.md'), 'utf8');

/** The pages with rules. The others have tests of their own. */
const pages = readdirSync(folder)
  .filter((name) => !['README.md', 'bypasses.md', 'findings.md'].includes(name))
  .map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }));

test('the index leads to each page, and SECURITY.md to the index', () => {
  const linked = [...index.matchAll(/^\| \[.*?\]\((.*?)\)/gm)].map(([, name]) => name);
  expect([...linked].sort()).toEqual(readdirSync(folder).filter((name) => name !== 'README.md'));
  const security = readFileSync(path.join(folder, '../../SECURITY.md'), 'utf8');
  expect(security).toContain('(docs/security/README.md)');
});

test.each(pages)('each section of $name with rules names tests', ({ text }) => {
  const sections = text.split(/^## /m).filter((section) => /^- /m.test(section));
  const open = sections.filter((section) => section.startsWith('What remains open'));
  const tested = sections.filter((section) => /^Tests: \[/m.test(section));
  expect(tested.length + open.length).toBe(sections.length);
  expect(tested.length).toBeGreaterThan(0);
});

test.each(pages)('each test that $name names exists in the file that it names', ({ text }) => {
  const files = new Map(
    [...text.matchAll(/^\[([\w-]+)\]: (\S+)$/gm)].map(([, name, file]) => [name!, path.join(folder, file!)]),
  );
  const groups = [...text.matchAll(/\[([\w-]+)\]\s((?:“[^”]+”,?\s*)+)/g)];
  expect(groups.length).toBeGreaterThan(0);
  for (const [, name = '', list = ''] of groups) {
    const titles = titlesOf(files.get(name)!);
    for (const title of quotedIn(list)) expect([name, title, titles.has(title)]).toEqual([name, title, true]);
  }
  expect(new Set(groups.map(([, name]) => name))).toEqual(new Set(files.keys()));
});
