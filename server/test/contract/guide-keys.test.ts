import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  defaultPermissions,
  exampleIds,
  furtherPermissionsFor,
  grants,
  type Operation,
  operations,
  type Permission,
  permissionsOf,
} from '@gatehouse/contract';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { compileShapeCheck } from '../../src/http/shared/json/validation.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const guides = readdirSync(path.join(root, 'docs/guides'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => path.join('docs/guides', name));

interface GuideRequest {
  readonly line: string;
  readonly operation: Operation;
  readonly body: unknown;
}

function requestsOf(text: string): GuideRequest[] {
  const inLines = text
    .replaceAll('\\\n', ' ')
    .replaceAll(/ -d '[^']*'/g, (body) => body.replaceAll('\n', ' '));
  const commands = inLines.matchAll(/^ *(?:\d\. )?curl .*\/api\/v1(\/[^\s'"?]*).*$/gm);
  return Array.from(commands, ([line, called = '']) => {
    const sends = /(?: -d | --json | --data)/.test(line);
    const method = / -X (\w+)/.exec(line)?.[1] ?? (sends ? 'POST' : 'GET');
    const operation = Object.values<Operation>(operations).find(
      (each) =>
        each.method === method && isPathOf(each.path, called.replace(/^\/events\/stream$/, '/events')),
    );
    if (!operation) throw new Error(`No operation: ${line}`);
    const body = JSON.parse(/'(\{.*\})'/.exec(line)?.[1] ?? 'null');
    return { line, operation, body };
  });
}

function isPathOf(template: string, called: string): boolean {
  const [names, values] = [template.split('/'), called.split('/')];
  return (
    names.length === values.length &&
    names.every((name, index) => (name.startsWith('{') ? values[index] !== 'stream' : name === values[index]))
  );
}

/** The permissions of the key that a guide creates; those of the first key if it creates none. */
function grantedIn(text: string): readonly Permission[] {
  const [, list] = /api-keys create [^`\n]*(?:\\\n[^`\n]*)?--permissions ([\w:,-]+)/.exec(text) ?? [];
  return list === undefined ? defaultPermissions : (list.split(',') as Permission[]);
}

test.each([...guides, 'README.md'])('the key of %s has the permissions of its requests', (file) => {
  const text = readFileSync(path.join(root, file), 'utf8');
  const granted = grantedIn(text);
  for (const { line, operation, body } of requestsOf(text)) {
    for (const permission of [...permissionsOf(operation), ...furtherPermissionsFor(operation, body ?? {})])
      expect([line, permission, grants(granted, permission)]).toEqual([line, permission, true]);
  }
});

/** The login providers and access rules that a guide shows as JSON, with an id for each placeholder. */
function bodiesIn(text: string): { readonly operation: Operation; readonly body: unknown }[] {
  return Array.from(text.matchAll(/```json\n(.*?)```/gs), ([, json = '']) => {
    const shown = JSON.parse(json.replaceAll(/"<the id of [^>]*>"/g, `"${exampleIds.group}"`));
    if ('clientId' in shown) return { operation: operations.createLoginProvider, body: shown };
    const body = 'rules' in shown ? shown : { rules: [shown] };
    return { operation: operations.replaceAccessRules, body };
  });
}

test.each([...guides, 'README.md'])('the API accepts the JSON that %s shows', (file) => {
  const text = readFileSync(path.join(root, file), 'utf8');
  const shown = [
    // Others send a file, or nothing.
    ...requestsOf(text).filter(({ body }) => body !== null),
    ...bodiesIn(text),
  ];
  for (const { operation, body } of shown) {
    const checkBody = compileShapeCheck({ ...operation, params: Type.Object({}), query: Type.Object({}) });
    expect(() => checkBody({ params: {}, query: {}, body }), JSON.stringify(body)).not.toThrow();
  }
});
