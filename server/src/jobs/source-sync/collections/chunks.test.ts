import { expect, test } from 'vitest';
import { inPages } from '../../../storage/sql/batches.ts';
import { hashOfLosses } from '../run/confirmation.ts';
import { inChunks } from './chunks.ts';
import type { Loss } from './comparison.ts';
import { Sample } from './sample.ts';

/** How often other work had its turn during some work. */
async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0;
  let isEnded = false;
  const count = () => {
    if (isEnded) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await work();
  isEnded = true;
  return turns;
}

test('a million people are passed in parts, and others have their turn after each', async () => {
  const people = Array.from({ length: 1_000_000 }, (_, index) => index);
  const passed: number[] = [];
  const turns = await turnsDuring(async () => {
    for await (const part of inChunks(people)) for (const person of part) passed.push(person);
  });
  expect(passed).toEqual(people);
  expect(turns).toBeGreaterThanOrEqual(1_999);
});

test('rows are read in pages, and others have their turn after each', async () => {
  const rows = Array.from({ length: 10_500 }, (_, index) => index);
  const read: number[] = [];
  const turns = await turnsDuring(async () => {
    const select = async (after = -1, limit = 0) => rows.slice(after + 1, after + 1 + limit);
    for await (const page of inPages<number>(select)) read.push(...page);
  });
  expect(read).toEqual(rows);
  expect(turns).toBeGreaterThanOrEqual(10);
});

test('losses are identified in turns, whatever their order', async () => {
  const emails = Array.from({ length: 20_000 }, (_, index) => `${index}@example.org`);
  const losing = (order: readonly string[], loss: Loss) => new Map(order.map((email) => [email, [loss]]));
  const hashes: string[] = [];
  const turns = await turnsDuring(async () => {
    hashes.push(await hashOfLosses({ losses: losing(emails, 'group') }));
  });
  expect(turns).toBeGreaterThanOrEqual(39);
  expect(await hashOfLosses({ losses: losing(emails.toReversed(), 'group') })).toBe(hashes[0]);
  expect(await hashOfLosses({ losses: losing(emails, 'paid') })).not.toBe(hashes[0]);
});

test('a result names the first twenty addresses in sorted order', () => {
  const sample = new Sample();
  const emails = Array.from({ length: 100 }, (_, index) => `${(index * 37) % 100}@example.org`);
  for (const email of emails) sample.add(email);
  expect(sample.emails).toEqual(emails.toSorted().slice(0, 20));
});
