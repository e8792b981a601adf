import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFile, temporaryFolder } from '../../test/command-line.ts';

const root = new URL('../../../', import.meta.url);
const program = fileURLToPath(new URL('server/src/commands/program.ts', root));

/** The parts of the program that a command loads: folders of the repository, and packages. */
function loadedBy(command: string): ReadonlySet<string> {
  const list = path.join(temporaryFolder(), 'loaded');
  const hook = temporaryFile(
    'hook.mjs',
    `import { appendFileSync } from 'node:fs';
     import { registerHooks } from 'node:module';
     registerHooks({ load: (url, context, next) => (appendFileSync(${JSON.stringify(list)}, url + '\\n'), next(url, context)) });`,
  );
  const { status, stderr } = spawnSync(process.execPath, ['--import', hook, program, ...command.split(' ')], {
    encoding: 'utf8',
  });
  expect([command, status, stderr]).toEqual([command, 0, '']);
  const files = readFileSync(list, 'utf8').split('\n');
  const parts = files.flatMap((url) =>
    url.startsWith(root.href) ? [partOf(url.slice(root.href.length))] : [],
  );
  return new Set(parts);
}

function partOf(file: string): string {
  const [, part = file] =
    /^(?:node_modules\/((?:@[^/]+\/)?[^/]+)|server\/src\/(\w+)|([^/]+))/.exec(file)?.filter(Boolean) ?? [];
  return part;
}

const itself = ['app', 'base', 'commander', 'commands', 'package.json', 'server'];

test.each([
  ['--version', []],
  ['--help', []],
  ['secret-key --help', []],
  // The names of all settings.
  [
    'health --help',
    ['contract', 'storage', 'jobs', '@fastify/proxy-addr', '@fastify/forwarded', 'ipaddr.js'],
  ],
  // Times and limits, without the operations.
  ['site list --help', ['contract']],
  ['members import --help', ['client', 'contract', 'member-lists']],
  ['members list --help', ['contract', 'typebox']],
  ['api-keys list --help', ['contract', 'typebox']],
  ['sources collections upload --help', ['contract', 'typebox']],
])('%s loads only what it prints', (command, further) => {
  expect([...loadedBy(command)].filter((part) => ![...itself, ...further].includes(part))).toEqual([]);
});
