import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiSources } from '../scripts/api-source.ts';

const folder = new URL('./api/', import.meta.url);

test('the files of api/ match the contract; `npm run api -w client` writes them', async () => {
  const written = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]);
  expect(Object.fromEntries(written)).toEqual(await apiSources());
});
