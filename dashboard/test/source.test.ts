import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ESTree, parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';

/** Not counting the tests and style sheets of these files. */
const maxFilesInFolder = 14;
/** Folders with shared code, which must not import pages. */
const shared = ['components', 'format', 'hooks', 'languages', 'queries', 'session'];

const source = path.resolve(import.meta.dirname, '../src');
const files = globSync('**/*.{ts,tsx}', { cwd: source })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => {
    const text = readFileSync(path.join(source, file), 'utf8');
    return { file, text, program: parse(file, text) };
  });

test(`no folder has more than ${maxFilesInFolder} files`, () => {
  const folders = Map.groupBy(files, ({ file }) => path.dirname(file));
  const tooFull = [...folders].filter(([, inside]) => inside.length > maxFilesInFolder);
  expect(tooFull.map(([folder, { length }]) => `${folder} has ${length}`)).toEqual([]);
});

test('every query key is defined in queries/keys.ts', () => {
  const elsewhere = files
    .filter(({ file }) => file !== path.join('queries', 'keys.ts'))
    .flatMap(({ file, text, program }) => arraysAsKeys(program).map((at) => `${file}:${lineAt(text, at)}`));
  expect(elsewhere).toEqual([]);
});

test('a button that is a link uses `renderRoot`, because the theme has its own element for buttons', () => {
  const others = files.flatMap(({ file, text, program }) =>
    buttonsWithComponent(program).map((at) => `${file}:${lineAt(text, at)}`),
  );
  expect(others).toEqual([]);
});

test('shared code does not import pages or the app', () => {
  const upward = files
    .filter(({ file }) => shared.includes(file.split(path.sep)[0]!))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/from '(\.[^']+)'/g)]
        .map(([, target]) => path.join(path.dirname(file), target!))
        .filter((target) => !shared.includes(target.split(path.sep)[0]!))
        .map((target) => `${file} → ${target}`),
    );
  expect(upward).toEqual([]);
});

test('pages have no style sheets, style attributes, borders or colors of their own', () => {
  const sheets = globSync('pages/**/*.css', { cwd: source });
  const attributes = files
    .filter(({ file }) => file.startsWith(`pages${path.sep}`))
    .flatMap(({ file, text, program }) => ownLook(program).map((at) => `${file}:${lineAt(text, at)}`));
  expect([...sheets, ...attributes]).toEqual([]);
});

const looks = ['style', 'styles', 'withBorder'];
const color = /^#([\da-f]{3,4}){1,2}$|^(rgb|hsl|oklch)a?\(/i;

/** The places where an element has a style or a border, and where a color is written out. */
function ownLook(program: ESTree.Program): number[] {
  const found: number[] = [];
  new Visitor({
    JSXAttribute({ name, value, start }) {
      const attribute = String(name.name);
      const isColor = value?.type === 'Literal' && color.test(String(value.value));
      if (looks.includes(attribute) || (isColor && attribute !== 'placeholder')) found.push(start);
    },
  }).visit(program);
  return found;
}

/** The places where `queryKey` is an array literal. */
function arraysAsKeys(program: ESTree.Program): number[] {
  const found: number[] = [];
  new Visitor({
    Property({ key, value, start }) {
      if (key.type === 'Identifier' && key.name === 'queryKey' && value.type === 'ArrayExpression')
        found.push(start);
    },
    VariableDeclarator({ id, init, start }) {
      if (id.type === 'Identifier' && id.name === 'queryKey' && init?.type === 'ArrayExpression')
        found.push(start);
    },
  }).visit(program);
  return found;
}

function buttonsWithComponent(program: ESTree.Program): number[] {
  const found: number[] = [];
  new Visitor({
    JSXOpeningElement({ name, attributes, start }) {
      const isButton = name.type === 'JSXIdentifier' && ['Button', 'ActionIcon'].includes(name.name);
      const has = attributes.some((each) => each.type === 'JSXAttribute' && each.name.name === 'component');
      if (isButton && has) found.push(start);
    },
  }).visit(program);
  return found;
}

function parse(file: string, text: string): ESTree.Program {
  const { program, errors } = parseSync(file, text);
  expect([file, errors]).toEqual([file, []]);
  return program;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
