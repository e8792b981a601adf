import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const folder = path.resolve(import.meta.dirname, '../docs/decisions');
const index = readFileSync(path.join(folder, 'README.md'), 'utf8');
const decisions = readdirSync(folder)
  .filter((file) => file !== 'README.md')
  .sort()
  .map((file) => ({ file, number: file.slice(0, 4), text: readFileSync(path.join(folder, file), 'utf8') }));

/** The numbers of decisions that were merged into others, by the index. */
const merged = new Map(
  [...index.matchAll(/^- (\d{4}) merged into (\d{4})$/gm)].map(([, from, into]) => [from!, into!]),
);

test('decisions are numbered without gaps, but for those that the index names as merged', () => {
  const numbers = [...decisions.map(({ number }) => number), ...merged.keys()].sort();
  expect(numbers).toEqual(numbers.map((_, at) => String(at + 1).padStart(4, '0')));
  for (const into of merged.values()) expect(decisions.map(({ number }) => number)).toContain(into);
});

test('the index has a line for each decision, in order, with its number and title', () => {
  const links = [...index.matchAll(/^- \[(.*)\]\((\d{4}-.*)\)$/gm)].map(([, title, file]) => ({
    title,
    file,
  }));
  expect(links).toEqual(decisions.map(({ file, text }) => ({ title: /^# (.*)$/m.exec(text)?.[1], file })));
  for (const { title, file } of links) expect(title?.slice(0, 5)).toBe(`${file?.slice(0, 4)} `);
  const listed = [...index.matchAll(/^- \[?(\d{4}) /gm)].map(([, number]) => number);
  expect(listed).toEqual([...listed].sort());
});

test.each(decisions)('$file is short, and has context, decision and consequences', ({ text }) => {
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(35);
  const parts = [...text.matchAll(/^\*\*(Context|Decision|Consequences)\.\*\* ?/gm)].map(([, part]) => part);
  expect(parts).toEqual(['Context', 'Decision', 'Consequences']);
});
