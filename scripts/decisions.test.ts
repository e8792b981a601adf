import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const folder = path.resolve(import.meta.dirname, '../docs/decisions');
const files = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .sort();

test('decisions are numbered without gaps', () => {
  expect(files.map((name) => name.slice(0, 5))).toEqual(
    files.map((_, index) => `${String(index + 1).padStart(4, '0')}-`),
  );
});

test('the index has a line for each decision, with its number and title', () => {
  const index = readFileSync(path.join(folder, 'README.md'), 'utf8');
  const lines = [...index.matchAll(/^- \[(.*)\]\((.*)\)$/gm)].map(([, title, file]) => ({ title, file }));
  const decisions = files.map((file) => ({
    title: /^# (.*)$/m.exec(readFileSync(path.join(folder, file), 'utf8'))?.[1],
    file,
  }));
  expect(lines).toEqual(decisions);
  for (const { title, file } of decisions) expect(title?.slice(0, 5)).toBe(`${file.slice(0, 4)} `);
});
