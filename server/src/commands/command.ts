import { type Command, InvalidArgumentError } from 'commander';

/** What every command takes. */
export interface CommonOptions {
  readonly json?: boolean;
}

/** Adds a command that knows `--json` and shows an example in its help. */
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

/** A parser of a whole number in a range, for an option. */
export function wholeNumber(least: number, most = 1_000_000_000): (text: string) => number {
  return (text) => {
    const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  };
}

/** Gathers an option that may be given several times. */
export function gather(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}
