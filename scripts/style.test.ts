import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '..');

test('no object or list is shortened by a spread literal', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.(ts|tsx|js|mjs)$/.test(file));
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => spreadsLiteral(readFileSync(path.join(root, file), 'utf8'), file))).toEqual(
    [],
  );
});

test('a spread literal is found anywhere', () => {
  const texts = ['f({ ...{ a, b }, c });', 'const x = [...[1, 2], 3];', 'f(...[1, 2]);'];
  expect(texts.map((text) => spreadsLiteral(text, 'file.ts'))).toEqual([true, true, true]);
  expect(spreadsLiteral('f({ ...(a && { b }), ...c }, [...(a ? [1] : [])]);', 'file.ts')).toBe(false);
});

function spreadsLiteral(text: string, file: string): boolean {
  const isFound = (node: unknown): boolean => {
    if (Array.isArray(node)) return node.some(isFound);
    if (typeof node !== 'object' || node === null) return false;
    const { type, argument } = node as { type?: string; argument?: { type: string } };
    const isSpread = type === 'SpreadElement' || type === 'JSXSpreadAttribute';
    if (isSpread && /^(Object|Array)Expression$/.test(argument!.type)) return true;
    return Object.values(node).some(isFound);
  };
  return isFound(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file));
}
