import type { Command, Option } from 'commander';
import { createProgram } from '../src/commands/main.ts';

/** A command as it is spelled now, with what can be written after it. */
export interface ListedCommand {
  /** Such as `members`, `sessions`, `list`. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly arguments: readonly { readonly usage: string; readonly description: string }[];
  readonly flags: readonly ListedFlag[];
}

export interface ListedFlag {
  /** With dashes, also the short one: `-f`, `--file`. */
  readonly names: readonly string[];
  readonly description: string;
  /** What follows it, such as `<text>`; empty for nothing, and in square brackets if it can be left out. */
  readonly value: string;
  readonly choices: readonly string[];
}

/** Every command, in the order of the help. */
export async function listCommands(): Promise<ListedCommand[]> {
  return leavesOf(await createProgram(), []);
}

function leavesOf(command: Command, words: readonly string[]): ListedCommand[] {
  const children = command.commands.filter((child) => child.name() !== 'help');
  if (children.length > 0) return children.flatMap((child) => leavesOf(child, [...words, child.name()]));
  const parameters = command.registeredArguments.map((argument) => {
    const { required, description } = argument;
    const name = argument.name();
    return { usage: required ? `<${name}>` : `[${name}]`, description };
  });
  const flags = command.options.filter(isSpelledNow).map(toFlag);
  const description = command.description();
  return [{ words, summary: command.summary() || description, description, arguments: parameters, flags }];
}

/** What the help hides is an old spelling, apart from `--no-…`, which it shows with the flag. */
function isSpelledNow({ hidden, negate, long }: Option): boolean {
  return !hidden || (negate && long !== '--no-colour');
}

function toFlag({ short, long, flags, description, argChoices = [] }: Option): ListedFlag {
  const names = [short, long].filter((name) => name !== undefined);
  const [, value = ''] = /([<[].*)$/.exec(flags) ?? [];
  return { names, description, value, choices: argChoices };
}
