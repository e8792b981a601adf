import type { Argument, Command, Option } from 'commander';

/** A word that may be written next, and what it means. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** What may be written next; nothing where any text or file may be. @param words after the name of the program */
export function complete(program: Command, words: readonly string[]): Candidate[] {
  const current = words.at(-1) ?? '';
  const [first, ...others] = words.slice(0, -1);
  // `help sources create` has the words of the command that it is about.
  const place = placeAfter(program, first === undefined || first === 'help' ? others : [first, ...others]);
  if (place === undefined) return [];
  return candidatesAt(place, current).filter(({ word }) => word.startsWith(current));
}

/** Where the next word is. */
interface Place {
  readonly command: Command;
  /** The option whose value is next. */
  readonly option: Option | undefined;
  /** How many arguments there are before it. */
  readonly position: number;
  /** Whether `--` has ended the options. */
  readonly hasEnded: boolean;
}

/** Undefined after an unknown command. */
function placeAfter(program: Command, words: readonly string[]): Place | undefined {
  let place: Place = { command: program, option: undefined, position: 0, hasEnded: false };
  for (const word of words) {
    if (place.option !== undefined) place = { ...place, option: undefined };
    else if (!place.hasEnded && word === '--') place = { ...place, hasEnded: true };
    else if (!place.hasEnded && word.startsWith('-')) place = { ...place, option: optionBefore(place, word) };
    else if (place.command.commands.length === 0) place = { ...place, position: place.position + 1 };
    else {
      const command = place.command.commands.find((each) => each.name() === word);
      if (command === undefined) return undefined;
      place = { ...place, command };
    }
  }
  return place;
}

/** The option that a word names, if its value is the next word. */
function optionBefore({ command }: Place, word: string): Option | undefined {
  return command.options.find(({ long, short, required }) => required && (long === word || short === word));
}

function candidatesAt({ command, option, position, hasEnded }: Place, current: string): Candidate[] {
  if (option !== undefined) return valuesOf(option, current);
  if (current.startsWith('-') && !hasEnded) return optionsOf(command, current);
  const help = command.createHelp();
  const commands = help.visibleCommands(command).map((each) => {
    return { word: each.name(), about: help.subcommandDescription(each) };
  });
  return commands.length > 0 ? commands : valuesOf(argumentAt(command, position), current);
}

function argumentAt({ registeredArguments }: Command, position: number): Argument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[position] ?? (last?.variadic ? last : undefined);
}

/** Options, or after `--option=` its values. */
function optionsOf(command: Command, current: string): Candidate[] {
  const visible = command.createHelp().visibleOptions(command);
  const [, name, value] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? [];
  if (name !== undefined) {
    const option = visible.find((each) => each.long === name);
    return valuesOf(option, value!).map(({ word, about }) => ({ word: `${name}=${word}`, about }));
  }
  return visible.map((option) => ({ word: option.long ?? option.short!, about: option.description }));
}

/** The choices, also for the last one of several that are separated by commas. */
function valuesOf(parameter: Option | Argument | undefined, current: string): Candidate[] {
  const before = /^.*,/s.exec(current)?.[0] ?? '';
  return (parameter?.argChoices ?? []).map((choice) => ({ word: before + choice, about: '' }));
}
