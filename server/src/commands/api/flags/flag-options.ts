import { type Command, Option } from 'commander';
import { WrongUsage } from '../../../app/failure.ts';
import { inputFile } from '../../installed/named-files.ts';
import { gather } from '../../shared/add-command.ts';
import type { Flag } from './flags.ts';

/** What was given for a flag: a text, several of a list, true for a flag without a value, and false for `--no-…`. */
export type GivenValue = string | boolean | readonly string[];

/** Adds a flag as an option of a command. */
export function addFlag(command: Command, flag: Flag): void {
  const { name, longName, kind, isNullable, isRequired, choices, description } = flag;
  const hasNone = kind !== 'boolean' && isNullable;
  const about = `${hasNone ? withNone(name, description) : description}${isRequired ? ' (required)' : ''}`;
  const option = new Option(kind === 'boolean' ? `--${name} [boolean]` : `--${name} <${kind}>`, about);
  if (choices) option.argChoices = [...choices];
  // Only for the help: what is not given is not sent.
  if (flag.default !== undefined) option.defaultValueDescription = flag.default;
  addParsed(command, option, flag);
  if (longName) {
    const long = new Option(`--${longName} <${kind}>`, about).hideHelp();
    addParsed(command, long, flag);
  }
  // The help shows it with the flag.
  if (!hasNone && kind !== 'boolean') return;
  for (const each of longName ? [name, longName] : [name])
    command.addOption(new Option(`--no-${each}`, description).hideHelp());
}

function addParsed(command: Command, option: Option, { kind, isList }: Flag): void {
  if (isList) option.argParser(gather);
  if (kind === 'json')
    option.argParser((text) => text.replace(/^@(.+)$/s, (_, name) => `@${inputFile(name)}`));
  if (kind === 'image')
    option.argParser((text) => (text.startsWith('data:') ? text : inputFile(text.replace(/^@/, ''))));
  command.addOption(option);
}

/** Null, which no text stands for. */
function withNone(name: string, description: string): string {
  const none = `--no-${name}`;
  return /\bnull\b/.test(description)
    ? description.replace(/\bnull\b/, none)
    : `${description}; ${none} for none`;
}

/** The flags that were given to a command, with their values. @throws {WrongUsage} */
export function givenFlags(command: Command, flags: readonly Flag[]): Map<Flag, GivenValue> {
  return new Map(
    flags.flatMap((flag): [Flag, GivenValue][] => {
      const [value, other] = [flag.name, ...(flag.longName ? [flag.longName] : [])]
        .map((name) => optionValue(command, name))
        .filter((each) => each !== undefined);
      if (other !== undefined) throw new WrongUsage(`Use either --${flag.name} or --${flag.longName}.`);
      return value === undefined ? [] : [[flag, value]];
    }),
  );
}

function optionValue(command: Command, name: string): GivenValue | undefined {
  const option = command.options.find(({ long }) => long === `--${name}`)!;
  return command.getOptionValue(option.attributeName());
}
