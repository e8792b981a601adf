import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { gatehouse, temporaryFile } from '../../../test/command-line.ts';
import { createProgram } from '../main.ts';
import { complete } from './complete.ts';

const program = await createProgram();
const words = (line: string) => complete(program, line.split(' ')).map(({ word }) => word);

test('commands, options and their values are completed', () => {
  expect(words('comp')).toEqual(['completions']);
  expect(words('sources create --ty')).toEqual(['--type']);
  expect(words('sources create --type ')).toEqual(['notion', 'list', 'program']);
  expect(words('sources create --type=n')).toEqual(['--type=notion']);
  expect(words('completions ')).toEqual(['bash', 'zsh', 'fish']);
  expect(words('help comp')).toEqual(['completions']);
});

test('nothing is completed after an unknown command, and where any text or file may be', () => {
  for (const line of ['nonsense ', 'nonsense create ', 'backup ', 'serve --folder ', 'backup -- --f'])
    expect([line, words(line)]).toEqual([line, []]);
});

test('every command and option of the help is completed', () => {
  const check = (command: Command, names: readonly string[]) => {
    const help = command.createHelp();
    const options = help.visibleOptions(command).map(({ long, short }) => long ?? short);
    expect(words([...names, '-'].join(' '))).toEqual(options);
    const commands = help.visibleCommands(command).filter((each) => each.name() !== 'help');
    if (commands.length > 0)
      expect(words([...names, ''].join(' '))).toEqual(
        expect.arrayContaining(commands.map((each) => each.name())),
      );
    for (const each of commands) check(each, [...names, each.name()]);
  };
  check(program, []);
});

test('candidates are printed with their meaning, and errors are not', async () => {
  const { exitCode, stdout, stderr } = await gatehouse(['complete', 'completio']);
  expect([exitCode, stdout, stderr]).toEqual([
    0,
    'completions\tprint the script that completes commands in a shell\n',
    '',
  ]);
  expect(await gatehouse(['complete'])).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await gatehouse(['completions', 'tcsh'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('bash, zsh, fish'),
  });
});

const shells = [
  { shell: 'bash', command: 'bash --norc -i', before: '' },
  { shell: 'zsh', command: 'zsh -f -i', before: 'autoload -Uz compinit; compinit -u -D; ' },
  { shell: 'fish', command: 'fish --no-config -i', before: '' },
];

const printsArguments = `#!/bin/sh
printf '<%s>' "$@"
`;

/** In CI a missing shell is an error. */
const installed = shells.filter(({ shell }) => process.env.CI || existsSync(`/usr/bin/${shell}`));

test.skipIf(process.platform !== 'linux').each(installed)(
  '$shell completes what is typed, with Tab',
  { timeout: 120_000 },
  async (tested) => {
    const { shell, command, before } = tested;
    const { stdout } = await gatehouse(['completions', shell]);
    const script = temporaryFile('completions', stdout);
    const file = temporaryFile('my-copy.db', '');
    // Prints what the line has become.
    writeFileSync(path.join(path.dirname(file), 'gatehouse'), printsArguments, { mode: 0o755 });
    const typed = [
      `${before}cd ${path.dirname(file)}; source ${script}`,
      './gatehouse completi\tz\t',
      './gatehouse sources create --ty\tno\t',
      './gatehouse sources create --type=no\t',
      './gatehouse backup my-c\t',
      'exit',
    ];
    // The terminal of `script` makes the shell interactive.
    const shown = execFileSync('script', ['--quiet', '--command', command, '/dev/null'], {
      input: `${typed.join('\n')}\n`,
      encoding: 'utf8',
      env: { ...process.env, TERM: 'dumb', HOME: path.dirname(script) },
    });
    expect([...shown.matchAll(/^(?:<[^<>%]+>)+/gm)].map(([line]) => line)).toEqual([
      '<completions><zsh>',
      '<sources><create><--type><notion>',
      '<sources><create><--type=notion>',
      '<backup><my-copy.db>',
    ]);
  },
);
