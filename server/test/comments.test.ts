import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = globSync(
  '{contract,server,client,member-lists,dashboard,bench,chaos,scripts}/**/*.{ts,tsx,mjs,sql,css}',
  {
    cwd: root,
    exclude: ['**/node_modules', '**/dist'],
  },
);
const texts = new Map(sources.map((file) => [file, readFileSync(`${root}/${file}`, 'utf8')]));
const comment = /\/\*\*?[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm;

/** Names that are not of this project, and examples. */
const foreign = ['lazyRouteComponent', 'rememberedBrowser', 'e_mail', 'NNNNNNNNN'];

test('every identifier that a comment names exists in the code', () => {
  const code = [...texts.values()].map((text) => text.replace(comment, '')).join('\n');
  const words = new Set(code.match(/[\w$]+/g));
  const missing = [...texts].flatMap(([file, text]) =>
    identifiersIn(text)
      .filter((identifier) => !identifier.split('.').every((part) => words.has(part)))
      .map((identifier) => `${file}: ${identifier}`),
  );
  expect(missing).toEqual([]);
});

/** The identifiers in backticks, such as `findMember`, and `Change.record` for a member of a class. */
function identifiersIn(text: string): string[] {
  const comments = text.match(comment)?.join('\n') ?? '';
  return [...comments.matchAll(/`([A-Za-z_$][\w$]*(?:\.[\w$]+)*)(?:\(\))?`/g)]
    .map(([, identifier]) => identifier!)
    .filter((identifier) => !foreign.includes(identifier));
}
