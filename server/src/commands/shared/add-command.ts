import { type Command, InvalidArgumentError } from 'commander';

/** The options of every command. */
export interface CommonOptions {
  readonly json?: boolean;
}

/** Adds a command with the option `--json` and with examples in its help. */
export function addCommand(
  parent: Command,
  usage: string,
  description: string,
  examples: readonly string[],
): Command {
  const shown = examples.map((example) => `  $ ./gatehouse ${example}`).join('\n');
  return parent
    .command(usage)
    .description(description)
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', `\nExample:\n${shown}`);
}

/** A group of commands, which other commands may have added. */
export function groupOf(parent: Command, name: string, description: string): Command {
  const group = parent.commands.find((command) => command.name() === name);
  return group ?? parent.command(name).description(description);
}

/** A parser of a whole number in a range, for an option. */
export function wholeNumber(min: number, max = 1_000_000_000): (text: string) => number {
  return (text) => {
    const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`Use a whole number from ${min} to ${max}.`);
  };
}

/** Collects the values of an option that may be given several times. */
export function gather(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}
