import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routes } from './api/operations.ts';
import { Gatehouse } from './index.ts';

const verbs =
  /^(?:add|block|bulkApply|bulkCreate|bulkUpdate|check|count|create|decide|delete|deleteAll|follow|get|invite|list|lookUp|preview|remove|replace|replay|resend|reset|revoke|revokeAll|rotate|send|stream|sync|test|unblock|update|upload|verify|wait)$/;

/** The methods of the client, such as `webhooks.deliveries.list`, with the names of their parameters. */
const methods = new Map<string, string[]>();
/** The IDs of the operations that each class calls. */
const called: string[] = [];

// Methods that only the gates use.
const internal = new Set(['sessions.seal', 'sessions.unseal']);

for (const [name, resource] of Object.entries(
  new Gatehouse({ url: 'http://localhost:8080', key: 'gate_test' }),
))
  collect(name, resource);

function collect(name: string, resource: object): void {
  const prototype = Object.getPrototypeOf(resource);
  for (const [method, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (method === 'constructor' || internal.has(`${name}.${method}`)) continue;
    const source = String(value);
    const [, parameters = ''] = /^[^(]*\(([^)]*)\)/.exec(source) ?? [];
    const names = parameters.split(',').map((parameter) => parameter.trim().replace(/ = .*/s, ''));
    methods.set(
      `${name}.${method}`,
      names.filter((each) => each !== ''),
    );
    for (const [, id] of source.matchAll(/\.(?:call|callForBody|paginate)\(\s*["'](\w+)["']/g))
      called.push(id!);
  }
  for (const [part, value] of Object.entries(resource)) collect(`${name}.${part}`, value);
}

test('each operation of the API has exactly one method', () => {
  expect(called.sort()).toEqual(Object.keys(routes).sort());
});

test('each method is a verb, after the nouns of its resource', () => {
  const others = [...methods.keys()].filter((method) => !verbs.test(method.split('.').at(-1)!));
  expect(others).toEqual([]);
});

test.each([...methods])('the parameters of %s are IDs, then what is sent, then options', (_, parameters) => {
  expect(parameters.at(-1)).toBe('options');
  const order = parameters.slice(0, -1).map((name) => /(?:Ids?|Key|^language)$/.test(name));
  expect(order).toEqual(order.toSorted((one, other) => Number(other) - Number(one)));
  expect(order.filter((isId) => !isId).length).toBeLessThanOrEqual(1);
});

test('the README lists every method with its parameters', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const rows = readme.matchAll(/^\| `gatehouse\.([\w.]+)` \| (.+) \|$/gm);
  const listed = [...rows].flatMap(([, resource, cell]) =>
    Array.from(cell!.matchAll(/`([^`]+)`/g), ([, call]) => `${resource}.${call}`),
  );
  const written = [...methods].map(
    ([method, parameters]) => `${method}(${parameters.slice(0, -1).join(', ')})`,
  );
  expect(listed.sort()).toEqual(written.sort());
});
