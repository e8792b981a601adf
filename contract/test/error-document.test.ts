import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withErrors } from '../scripts/error-document.ts';
import { errorCodes } from '../src/shared/error-codes.ts';

const document = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');

test('the sections of docs/errors.md are those of the contract', () => {
  expect(document, 'run npm run openapi').toBe(withErrors(document));
});

test('each error code has a heading in docs/errors.md, for links of programs', () => {
  const headings = [...document.matchAll(/^### `(\w+)`$/gm)].map(([, code]) => code);
  expect(headings).toEqual(errorCodes);
});
