import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { knownExport, knownExportNames } from '../member-lists/src/known/known-exports.ts';

const guide = readFileSync(path.resolve(import.meta.dirname, '../docs/guides/moving-here.md'), 'utf8');

test('the guide to moving here names the systems whose exports are known, in their order', () => {
  const table = guide.slice(guide.indexOf('| System |'), guide.indexOf('\n\nNot taken'));
  const systems = [...table.matchAll(/^\| ([^|]+) \| /gm)].map(([, system]) => system).slice(1);
  const titles = knownExportNames.map((name) => knownExport(name).title);
  expect(systems).toEqual(titles.toSorted((one, other) => one.localeCompare(other, 'en')));
});
