import { fileURLToPath } from 'node:url';
import { Argument, type Command } from 'commander';
import { installation } from '../../base/installation.ts';
import { installedPackage } from '../../base/installed-package.ts';
import { addCommand } from '../shared/add-command.ts';
import { print } from '../shared/output.ts';
import { complete } from './complete.ts';
import { completionScript, shells } from './scripts.ts';

interface CompletionOptions {
  readonly json?: boolean;
}

export function addCompletionsCommand(program: Command): void {
  const examples = ['completions bash >> ~/.bashrc'];
  const description = 'print the script that completes commands in a shell';
  addCommand(program, 'completions', description, examples)
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action((shell: (typeof shells)[number], { json = false }: CompletionOptions) => {
      const path = installedPackage?.command ?? fileURLToPath(new URL('gatehouse', installation));
      const script = completionScript(shell, path);
      print(json, { shell, script }, script.trimEnd());
    });
}

const maxAboutLength = 80;

/** Prints what may be written next, for the scripts of the shells: a word and its meaning in each line. */
export function printCandidates(program: Command, words: readonly string[]): void {
  const lines = complete(program, words).map(({ word, about }) => {
    const [line = ''] = about.split('\n', 1);
    return `${word}\t${line.length > maxAboutLength ? `${line.slice(0, maxAboutLength - 1)}…` : line}\n`;
  });
  process.stdout.write(lines.join(''));
}
