import type { Command, CommanderError, Option } from 'commander';
import { WrongUsage } from '../../app/failure.ts';

/** An error of Commander, with how the command is used if that is the question. */
export function explainArguments(error: CommanderError, command: Command): Error {
  switch (error.code) {
    case 'commander.missingArgument': {
      const [, name] = /'(.*)'/.exec(error.message) ?? [];
      return new WrongUsage(`<${name}> is missing. Usage: ${usageOf(command)}`);
    }
    case 'commander.excessArguments': {
      const unexpected = command.args[command.registeredArguments.length];
      return new WrongUsage(`"${unexpected}" is not expected here. Usage: ${usageOf(command)}`);
    }
    case 'commander.unknownOption':
      if (error.message.includes('Did you mean')) return error;
      return new WrongUsage(
        `${error.message.replace('error: u', 'U')}. See ${namesOf(command).join(' ')} --help.`,
      );
    default:
      return error;
  }
}

/** The command with what it requires: `./gatehouse access-groups create --name <text>`. */
function usageOf(command: Command): string {
  const named = command.registeredArguments.map((each) =>
    each.required ? `<${each.name()}>` : `[${each.name()}]`,
  );
  const required = command.options.filter(isRequired).map(({ flags }) => flags);
  return [...namesOf(command), ...named, ...required].join(' ');
}

/** Flags of operations are checked by their command, because a file can have them too. */
function isRequired({ mandatory, description }: Option): boolean {
  return mandatory || description.endsWith('(required)');
}

function namesOf(command: Command): string[] {
  return [...(command.parent ? namesOf(command.parent) : []), command.name()];
}
