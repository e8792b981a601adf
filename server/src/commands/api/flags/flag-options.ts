import { type Command, Option } from 'commander';
import { gather } from '../../shared/add-command.ts';
import type { Flag } from './flags.ts';

/** What was given for a flag: a text, several of a list, true for a flag without a value, and false for `--no-…`. */
export type GivenValue = string | boolean | readonly string[];

/** Adds a flag as an option of a command. */
export function addFlag(command: Command, flag: Flag): void {
  const { name, kind, isNullable, isRequired, isList, choices, description } = flag;
  const hasNone = kind !== 'boolean' && isNullable;
  const about = `${hasNone ? withNone(name, description) : description}${isRequired ? ' (required)' : ''}`;
  const option = new Option(kind === 'boolean' ? `--${name} [boolean]` : `--${name} <${kind}>`, about);
  if (choices) option.argChoices = [...choices];
  command.addOption(isList ? option.argParser(gather) : option);
  // The help shows it with the flag.
  if (hasNone || kind === 'boolean') command.addOption(new Option(`--no-${name}`, description).hideHelp());
}

/** Null, which no text stands for. */
function withNone(name: string, description: string): string {
  const none = `--no-${name}`;
  return /\bnull\b/.test(description)
    ? description.replace(/\bnull\b/, none)
    : `${description}; ${none} for none`;
}

/** The flags that were given to a command, with their values. */
export function givenFlags(command: Command, flags: readonly Flag[]): Map<Flag, GivenValue> {
  return new Map(
    flags.flatMap((flag): [Flag, GivenValue][] => {
      const option = command.options.find(({ long }) => long === `--${flag.name}`)!;
      const value = command.getOptionValue(option.attributeName());
      return value === undefined ? [] : [[flag, value]];
    }),
  );
}
