import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = ['server/src', 'client/src', 'contract/src', 'dashboard/src', 'bench', 'chaos', 'scripts'];
const maxLines = 60;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

describe.each(folders)('%s', (folder) => {
  test(`has no function of more than ${maxLines} lines`, () => {
    const files = sourceFiles(path.join(root, folder));
    expect(files).not.toEqual([]);
    const tooLong = files.flatMap((file) =>
      functionsOf(file)
        .filter(({ lines }) => lines > maxLines)
        .map(({ line, lines }) => `${path.relative(root, file)}:${line} has ${lines} lines`),
    );
    expect(tooLong).toEqual([]);
  });
});

test('a function that is too long is found anywhere', () => {
  const body = 'x();\n'.repeat(maxLines);
  const found = [
    `function long() {\n${body}}`,
    `export default async function () {\n${body}}`,
    `const long = async (): Promise<void> => {\n${body}};`,
    `class Long {\n#long<T>(this: T): void {\n${body}}\n}`,
    `const { a } = { get long() {\n${body}} } as const;`,
    `call(<T,>(one: T) => [\n${'one,\n'.repeat(maxLines)}]);`,
  ].map((text) => functionsIn(text, 'long.ts').map(({ lines }) => lines));
  expect(found).toEqual(found.map(() => [maxLines + 2]));
  expect(functionsIn(`const page = () => <p>\n{text}\n</p>;`, 'page.tsx')).toEqual([{ line: 1, lines: 3 }]);
});

/** Without tests and their test data: a suite is one function, however many tests it has. */
function sourceFiles(folder: string): string[] {
  return globSync('**/*.{ts,tsx,mjs}', { cwd: folder, exclude: ['**/node_modules', '**/dist'] })
    .filter((file) => !/\.(?:test|sample)\.tsx?$/.test(file))
    .map((file) => path.join(folder, file));
}

function functionsOf(file: string): { line: number; lines: number }[] {
  return functionsIn(readFileSync(file, 'utf8'), file);
}

/** The functions and methods of a source text: the line each starts on, and its number of lines. */
function functionsIn(text: string, file: string): { line: number; lines: number }[] {
  const linesIn = (start: number, end: number) => text.slice(start, end).split('\n').length;
  const lang = file.endsWith('x') ? 'tsx' : 'ts';
  return [...nodesOf(parseAst(text, { lang }))]
    .filter(({ type }) => /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type))
    .map(({ start, end }) => ({ line: linesIn(0, start), lines: linesIn(start, end) }));
}

function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && 'start' in value) yield value as Node;
  for (const child of Object.values(value)) yield* nodesOf(child);
}
