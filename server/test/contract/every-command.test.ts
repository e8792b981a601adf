import { type Operation, operations } from '@gatehouse/contract';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { flagsOf } from '../../src/commands/api/flags/flags.ts';
import { commandOf } from '../../src/commands/api/operation-names.ts';
import { createProgram } from '../../src/commands/main.ts';
import { commandsOn, commandsWith, temporaryFile } from '../command-line.ts';
import { secretKey } from '../secret-key.ts';
import { forEachStore, forOneStore } from '../stores.ts';
import { useTestServer } from '../use-server.ts';
import { everyOperation, type ReadyRequest, readyRequest } from './requests.ts';

/** The command with the arguments that make the same call as a request: flags, or the body in a file. */
function commandFor(request: ReadyRequest, withFile: boolean): string[] {
  const operation: Operation = operations[request.operationId];
  const pattern = new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
  const named = pattern.exec(request.path)!.slice(1);
  const { body } = request;
  const words = [...commandOf(operation), ...named.map(decodeURIComponent)];
  if (body === undefined) return words;
  if (withFile) return [...words, '--file', temporaryFile('body.json', JSON.stringify(body))];
  const flags = Object.entries(body as object).map(([property, value]) => {
    const { name, kind, isList } = flagsOf(operation).find((flag) => flag.property === property)!;
    if (value === null) return `--no-${name}`;
    if (isList && kind !== 'json') return `--${name}=${(value as unknown[]).join(',')}`;
    return `--${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
  return [...words, ...flags];
}

forEachStore((store) => {
  const server = useTestServer(store);

  test.each(everyOperation)('the command of %s works on the database', async (id) => {
    const { success }: Operation = operations[id];
    const site = await server.createSite();
    const args = commandFor(await readyRequest(id, site), false);
    const { slug } = (await site.get('/site')).body.data;
    const run = commandsOn(server.databaseUrl);
    const result = await run([...args, '--site', slug, '--json'], {
      env: { GATEHOUSE_ALLOWED_NETWORKS: '127.0.0.0/8', GATEHOUSE_SECRET_KEY: secretKey },
    });
    expect([args.join(' '), result.stderr, result.exitCode]).toEqual([args.join(' '), '', 0]);
    expect(result.stdout === 'null\n').toBe(success.body === null);
  });
});

// What differs from the database is the way there, which is the same for each store.
forOneStore((store) => {
  const server = useTestServer(store);

  test.each(everyOperation)('the command of %s works with a service, and prints text', async (id) => {
    const site = await server.createSite();
    const args = commandFor(await readyRequest(id, site), true);
    const result = await commandsWith(server, site)(args);
    expect(result, args.join(' ')).toMatchObject({ exitCode: 0 });
    expect(result.stdout + result.stderr).toMatch(/\S/);
    expect(result.stdout).not.toContain('[object Object]');
    expect(result.stdout).not.toContain('undefined');
  });
});

test('each operation has a command of its own', async () => {
  const program = await createProgram();
  const names = everyOperation.map((id) => commandOf(operations[id]).join(' '));
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(find(program, name.split(' ')), name).toBeDefined();
});

test('each property of an operation has a flag of its own', async () => {
  const program = await createProgram();
  for (const id of everyOperation) {
    const command = find(program, commandOf(operations[id]))!;
    const flags = command.options.flatMap(({ long }) => long ?? []);
    expect([id, flags.length]).toEqual([id, new Set(flags).size]);
    expect(flags).toEqual(expect.arrayContaining(flagsOf(operations[id]).map(({ name }) => `--${name}`)));
  }
});

function find(program: Command, names: readonly string[]): Command | undefined {
  return names.reduce<Command | undefined>(
    (group, name) => group?.commands.find((command) => command.name() === name),
    program,
  );
}
