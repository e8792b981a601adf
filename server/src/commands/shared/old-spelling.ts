import { type Command, Option } from 'commander';

/**
 * Accepts an earlier spelling of an option as well, until 0.1.0. The help does not show it. A `--no-…` option is added
 * after the option that it negates.
 * @param name the option as it is spelled now, with its dashes
 */
export function addOldSpelling(command: Command, old: string, name: string): Command {
  const option = command.options.find(({ long }) => long === name)!;
  return command.addOption(new OldSpelling(old, option).hideHelp());
}

class OldSpelling extends Option {
  readonly #name: string;

  constructor(long: string, option: Option) {
    super(option.flags.replace(option.long!, long), option.description);
    if (option.parseArg) this.argParser(option.parseArg);
    if (option.argChoices) this.choices(option.argChoices);
    this.#name = option.attributeName();
  }

  /** The value is that of the option, so that the command has one. */
  override attributeName(): string {
    return this.#name;
  }
}
