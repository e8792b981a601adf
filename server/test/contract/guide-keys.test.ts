import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  defaultPermissions,
  furtherPermissionsFor,
  grants,
  type Operation,
  operations,
  type Permission,
  permissionsOf,
} from '@gatehouse/contract';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const guides = readdirSync(path.join(root, 'docs/guides'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => path.join('docs/guides', name));

/** The requests of a guide, each as the permissions that it needs. */
function requestsOf(text: string): { line: string; needed: Permission[] }[] {
  const commands = text.replaceAll('\\\n', ' ').matchAll(/^ *(?:\d\. )?curl .*\/api\/v1(\/[^\s'"?]*).*$/gm);
  return Array.from(commands, ([line, called = '']) => {
    const sends = /(?: -d | --json | --data)/.test(line);
    const method = / -X (\w+)/.exec(line)?.[1] ?? (sends ? 'POST' : 'GET');
    const operation = Object.values<Operation>(operations).find(
      (each) =>
        each.method === method && isPathOf(each.path, called.replace(/^\/events\/stream$/, '/events')),
    );
    if (!operation) throw new Error(`No operation: ${line}`);
    const body = JSON.parse(/'(\{.*\})'/.exec(line)?.[1] ?? '{}');
    return { line, needed: [...permissionsOf(operation), ...furtherPermissionsFor(operation, body)] };
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
  const [, list] = /key create [^`\n]*(?:\\\n[^`\n]*)?--permissions ([\w:,-]+)/.exec(text) ?? [];
  return list === undefined ? defaultPermissions : (list.split(',') as Permission[]);
}

test.each([...guides, 'README.md'])('the key of %s has the permissions of its requests', (file) => {
  const text = readFileSync(path.join(root, file), 'utf8');
  const granted = grantedIn(text);
  for (const { line, needed } of requestsOf(text)) {
    for (const permission of needed)
      expect([line, permission, grants(granted, permission)]).toEqual([line, permission, true]);
  }
});
