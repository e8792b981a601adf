import type { AccessRule, PageFile } from '@gatehouse/client';
import { expect, test } from 'vitest';
import { openingsFor } from './openings.ts';

const root: AccessRule = { path: '/', access: 'members' };
const home: AccessRule = { path: '/', appliesTo: 'page', access: 'public' };

const closed = (path: string, changes: Partial<PageFile> = {}): PageFile => ({
  url: `https://club.example${path}`,
  path,
  host: 'club.example',
  type: 'image',
  allowed: false,
  reason: 'anonymous',
  rule: root,
  ...changes,
});

/** Each opening as its folder, or as its files in parentheses. */
function opened(files: readonly PageFile[], rules: readonly AccessRule[] = [root, home]): string[] {
  return openingsFor(files, rules, false).map(
    ({ folder, rules }) => folder ?? `(${rules.map(({ path }) => path).join(' ')})`,
  );
}

test('the smallest folder with all closed files is opened', () => {
  expect(opened([closed('/assets/css/a.css?v=2'), closed('/assets/img/b.png')])).toEqual(['/assets']);
  expect(opened([closed('/assets/css/a.css'), closed('/assets/css/b.css')])).toEqual(['/assets/css']);
  expect(opened([closed('/a/x.css', { allowed: true }), closed('/assets/b.css')])).toEqual(['/assets']);
});

test('beside the pages of the site, only the files are opened', () => {
  expect(opened([closed('/style.css'), closed('/boat.svg?1'), closed('/boat.svg?2')])).toEqual([
    '(/style.css /boat.svg)',
  ]);
  expect(opened([closed('/style.css'), closed('/img/a.png'), closed('/img/b.png')])).toEqual([
    '/img',
    '(/style.css)',
  ]);
});

test('a folder with a rule for a part of it stays closed', () => {
  const files = [closed('/files/css/a.css'), closed('/files/img/b.png'), closed('/files/c.png')];
  const parts = ['/files/css', '/files/img', '(/files/c.png)'];
  expect(opened(files, [root, { path: '/files/minutes', access: 'members' }])).toEqual(parts);
  const page: AccessRule = { path: '/files/plan.html', appliesTo: 'page', access: 'members' };
  expect(opened(files, [root, page])).toEqual(parts);
});

test('files with a rule of their own, and paths that cannot have a rule, are left out', () => {
  expect(opened([closed('/logo.png')], [root, { path: '/logo.png', access: 'paying_members' }])).toEqual([]);
  expect(opened([closed('/a b /c.png'), closed('/%2e%2e/d.png', { reason: 'ambiguous_path' })])).toEqual([]);
  expect(opened([closed('/app/x.css')], [{ path: '/', access: 'members', programPaths: true }])).toEqual([]);
});

test('on a site with several hosts, the rule is for the host of the files', () => {
  const files = [closed('/assets/a.css'), closed('/assets/b.css', { host: 'forum.example' })];
  expect(openingsFor(files, [root], true).flatMap(({ rules }) => rules)).toEqual([
    { path: '/assets', access: 'public', hosts: ['club.example'] },
    { path: '/assets', access: 'public', hosts: ['forum.example'] },
  ]);
});

test('encoded names are written readable in the rule', () => {
  expect(opened([closed('/bilder%20neu/a.png')])).toEqual(['/bilder neu']);
});
