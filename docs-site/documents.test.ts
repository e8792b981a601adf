import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { documents, pageOf, stagedDocument } from './documents.ts';
import { root } from './places.ts';
import { sidebarGroups, sidebars } from './sidebar.ts';

test('every document of docs is a page, and no two have the same name', () => {
  const pages = documents().map(pageOf);
  expect(pages).toEqual(
    expect.arrayContaining(['index.md', 'operations/index.md', 'client/index.md', 'readme.md']),
  );
  expect(new Set(pages.map((page) => page.toLowerCase())).size).toBe(pages.length);
});

test('links lead to pages, and to copies of other files of the repository; blocks of code stay as they are', () => {
  const { text, files } = stagedDocument('docs/guides/edge.md', '/help/');
  expect(text).not.toMatch(/\]\([^)]*\.md[)#]/);
  expect(text).toContain('](/help/files/examples/edge/worker.ts)');
  expect(files).toContain('examples/edge/worker.ts');
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  expect(stagedDocument('docs/settings.md', '/help/').text).not.toContain('<!--');
});

test('the side bar has the sections of docs/README.md, and each page once', () => {
  const groups = sidebarGroups();
  expect(groups.map(({ text }) => text)).toContain('Protect pages');
  const links = groups.flatMap(({ items }) => items.map(({ link }) => link));
  expect(links).toContain('/guides/install.html');
  expect(new Set(links).size).toBe(links.length);
});

test('a decision has a shorter side bar, with the groups of the first pages and of the decisions', () => {
  const { '/decisions/': short, '/': whole } = sidebars();
  const links = short!.flatMap(({ items }) => items.map(({ link }) => link));
  expect(links).toEqual(expect.arrayContaining(['/guides/install.html', '/decisions/']));
  expect(whole).toEqual(sidebarGroups());
  expect(whole!.length).toBeGreaterThan(short!.length);
});
