import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copiedTables } from '../../src/storage/copy/copied-tables.ts';
import { commandsOn, temporaryFolder } from '../command-line.ts';
import { effort } from '../effort.ts';
import { secretKey } from '../secret-key.ts';
import { forEachStore } from '../stores.ts';
import { contentOf, createFullDatabase, hostileTexts, randomFrom, readColumnTypes } from './every-table.ts';

const env = { GATEHOUSE_SECRET_KEY: secretKey };

forEachStore((store) => {
  test('a copy of any database, and the copy of this copy in a file, have the same content', {
    timeout: 600_000,
  }, async () => {
    const types = store.dialect === 'postgres' ? await readColumnTypes(await store.migratedUrl()) : new Map();
    const property = fc.asyncProperty(fc.nat(), hostileTexts, async (seed, texts) => {
      const folder = temporaryFolder();
      const source = `sqlite:${path.join(folder, 'source.db')}`;
      const [target, back] = [await store.freshUrl(), `sqlite:${path.join(folder, 'back.db')}`];
      await createFullDatabase(source, types, randomFrom(seed), texts);
      const before = await contentOf(source);
      expect(emptyTables(before)).toEqual([]);

      await copy(source, target);
      await copy(target, back);
      expect(await contentOf(back)).toEqual(before);
    });
    await fc.assert(property, { numRuns: effort.copiedDatabases, endOnFailure: true });
  });
});

async function copy(from: string, to: string): Promise<void> {
  const { exitCode, stderr, json } = await commandsOn(from)(['copy', '--to', to, '--json'], { env });
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(json.tables.map(({ name }: { name: string }) => name)).toEqual(copiedTables.map(({ name }) => name));
}

function emptyTables(content: Readonly<Record<string, readonly string[]>>): string[] {
  return copiedTables.map(({ name }) => name).filter((name) => (content[name] ?? []).length === 0);
}
