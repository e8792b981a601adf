import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../main.ts';

/** A parameter that names a file or a folder, by its name in the help. */
const namesFile = /^(file|folder|target|json|image|people\.csv)$/;

test('every argument and option that names a file is resolved in the folder of its user', async () => {
  const unmarked: string[] = [];
  const check = (command: Command, name: string) => {
    for (const argument of command.registeredArguments)
      if (namesFile.test(argument.name()) && !argument.parseArg)
        unmarked.push(`${name} <${argument.name()}>`);
    for (const { flags, parseArg } of command.options)
      if (namesFile.test(/<(.+)>/.exec(flags)?.[1] ?? '') && !parseArg) unmarked.push(`${name} ${flags}`);
    for (const each of command.commands) check(each, `${name} ${each.name()}`);
  };
  check(await createProgram(), 'gatehouse');
  expect(unmarked).toEqual([]);
});
