import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { operations } from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { routes } from '../src/http/service.ts';

/** Each folder may import itself and those before it. The contract comes first and is a package of its own. */
const order = [
  'base',
  'languages',
  'storage',
  'routing',
  'events',
  'mail',
  'email-budgets',
  'sites',
  'access-groups',
  'credentials',
  'members',
  'login',
  'operators',
  'gate',
  'overview',
  'pages',
  'http',
  'commands',
];

/** Packages that one folder alone may know. */
const homes: Record<string, string> = {
  fastify: 'http',
  nodemailer: 'mail',
  '@simplewebauthn/server': 'operators',
  'node:sqlite': 'storage',
  postgres: 'storage',
};

const source = fileURLToPath(new URL('../src', import.meta.url));
const files = globSync('**/*.ts', { cwd: source }).filter((file) => !file.endsWith('.test.ts'));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

test('every folder has its place in the order', () => {
  expect([...new Set(files.map(folderOf))].sort()).toEqual(order.toSorted());
});

test('every import points left in the order, types included', () => {
  const pointRight = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => files.includes(target))
      .filter((target) => order.indexOf(folderOf(target)) > order.indexOf(folderOf(file)))
      .map((target) => `${file} → ${target}`),
  );
  expect(pointRight).toEqual([]);
});

test('every import names a file of the server or a package', () => {
  const nowhere = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => target.endsWith('.ts') && !files.includes(target))
      .map((target) => `${file} → ${target}`),
  );
  expect(nowhere).toEqual([]);
});

test('no file imports itself by way of others', () => {
  const circles = files
    .map((file) => pathBack(file, file, new Set()))
    .filter((circle) => circle !== undefined)
    .map((circle) => circle.join(' → '));
  expect(circles).toEqual([]);
});

test.each(Object.entries(homes))('nothing outside its folder knows %s', (name, home) => {
  const strangers = [...imports]
    .filter(([file, targets]) => folderOf(file) !== home && targets.includes(name))
    .map(([file]) => file);
  expect(strangers).toEqual([]);
});

test('every operation of the contract has exactly one handler', async () => {
  const handlers: string[] = [];
  for (const file of files.filter((each) => path.basename(each) === 'routes.ts')) {
    const exported: Record<string, object> = await import(path.join(source, file));
    for (const group of Object.values(exported)) handlers.push(...Object.keys(group));
  }
  // The document of the API belongs to no site, so it is answered without one.
  expect([...handlers, 'getOpenApi'].sort()).toEqual(Object.keys(operations).sort());
  expect(Object.keys(routes).sort()).toEqual(handlers.toSorted());
});

test('SQL of a concept stands in its store, or in a file of its own for a list or its filter', () => {
  const withSql = [...imports]
    .filter(([, targets]) => targets.includes('sql-template-tag'))
    .map(([file]) => file);
  const concepts = ['events', 'sites', 'access-groups', 'members', 'operators'];
  const elsewhere = withSql.filter(
    (file) => concepts.includes(folderOf(file)) && !/-(store|list|filter)\.ts$/.test(file),
  );
  expect(elsewhere).toEqual([]);
});

/** What a file imports: files of the server by their path, packages by their name. */
function importsOf(file: string): string[] {
  const text = readFileSync(path.join(source, file), 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\b(?:[^'";]*?\bfrom)?\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm,
  );
  return [...statements]
    .map(([, statement, call]) => (statement ?? call)!)
    .map((target) => (target.startsWith('.') ? path.join(path.dirname(file), target) : target));
}

function pathBack(from: string, to: string, seen: Set<string>): string[] | undefined {
  for (const target of imports.get(from) ?? []) {
    if (target === to) return [from, to];
    if (seen.has(target)) continue;
    seen.add(target);
    const rest = pathBack(target, to, seen);
    if (rest) return [from, ...rest];
  }
  return undefined;
}

function folderOf(file: string): string {
  return file.split(path.sep)[0]!;
}
