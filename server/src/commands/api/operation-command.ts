import type { Operation } from '@gatehouse/contract';
import { exampleOf as exampleOfSchema } from '@gatehouse/contract';
import type { Command } from 'commander';
import { WrongUsage } from '../../app/failure.ts';
import { inputFile } from '../installed/named-files.ts';
import { argument } from '../shared/output.ts';
import { addWhereOptions } from '../shared/where-options.ts';
import type { Addition } from './addition.ts';
import { addFlag, type GivenValue, givenFlags } from './flags/flag-options.ts';
import { type Flag, flagsOf, subjectOf } from './flags/flags.ts';
import { lowered } from './flags/schema.ts';
import type { OperationOptions } from './input.ts';
import type { Mode } from './mode.ts';
import { argumentName, commandOf } from './operation-names.ts';
import { exampleOfParameter, nameHint } from './references.ts';

interface CommandParts {
  readonly verb: string;
  /** The usage of the command that creates what a list shows. */
  readonly creation: string | undefined;
  readonly addition: Addition;
  readonly mode: Mode;
}

/** Adds the command of an operation. */
export function addCommandOf(
  parent: Command,
  operation: Operation,
  { verb, creation, addition, mode }: CommandParts,
): void {
  const { summary, description, params, method, body } = operation;
  const command = parent
    .command(verb)
    .summary(lowered(summary))
    .description(descriptionOf(summary, description));
  const parameters = Object.keys(params.properties);
  for (const [index, parameter] of parameters.entries()) {
    const isOptional = addition.isLastOptional && index === parameters.length - 1;
    const usage = argumentName(parameter);
    command.argument(isOptional ? `[${usage}]` : `<${usage}>`, nameHint(parameter));
  }
  const flags = flagsOf(operation).filter(({ property }) => !addition.replaces?.includes(property));
  const subject = subjectOf(flags);
  if (subject) command.argument(`[${subject.name}]`, nameHint(subject.property));
  // What an addition can replace is not required.
  for (const flag of flags) addFlag(command, addition.isWhole ? { ...flag, isRequired: false } : flag);
  addition.addOptions?.(command);
  if (body !== null)
    command.option('-f, --file <file>', 'the body as JSON in a file; - for the standard input', inputFile);
  if (method === 'DELETE') command.option('--yes', 'confirm it, also without a terminal');
  addCommonOptions(command, 'limit' in operation.query.properties);
  const example = addition.example ?? exampleOf(operation, flags);
  command.addHelpText(
    'after',
    `\nExample:\n  $ ${['./gatehouse', ...namesOf(command), example].join(' ').trimEnd()}`,
  );
  command.action(async () => {
    const named = command.processedArgs as string[];
    const [further] = named.slice(parameters.length);
    const { ...options } = command.opts();
    const given = givenFlags(command, flags);
    requireOwnUrl(flags, given, options);
    if (subject) addSubject(given, subject, further);
    // Of `site update <site>`, which has no path parameter.
    else options.site ??= further;
    if (options.file === undefined && !addition.isWhole?.(options)) requireFlags(command, flags, given);
    const run = { operation, addition, given: { named, flags: given, options }, creation, mode };
    // The help does without them.
    const { onSite } = await import('./calls/on-site.ts');
    const { runOperation } = await import('./run.ts');
    await onSite(options, mode, (api) => runOperation(run, api));
  });
}

/** @throws {WrongUsage} if it is also an option */
function addSubject(given: Map<Flag, GivenValue>, subject: Flag, named: string | undefined): void {
  if (named === undefined) return;
  if (given.has(subject)) throw new WrongUsage(`Use either "${named}" or --${subject.name}.`);
  given.set(subject, named);
}

/** A URL of the resource is easily taken for that of the service, which needs a key. @throws {WrongUsage} */
function requireOwnUrl(flags: readonly Flag[], given: ReadonlyMap<Flag, unknown>, options: OperationOptions) {
  const { url, key = process.env.GATEHOUSE_KEY, file } = options;
  const own = flags.find(({ property }) => property === 'url');
  if (own === undefined || url === undefined || given.has(own)) return;
  if (key && (file !== undefined || !own.isRequired)) return;
  const noun = own.name.replace(/-url$/, '');
  throw new WrongUsage(`--url is the URL of the service. For the URL of the ${noun}, use --${own.name}.`);
}

/** Before anything is opened or sent. @throws {WrongUsage} */
function requireFlags(command: Command, flags: readonly Flag[], given: ReadonlyMap<Flag, unknown>): void {
  const missing = flags.filter((flag) => flag.isRequired && !given.has(flag)).map(({ name }) => `--${name}`);
  if (missing.length === 0) return;
  throw new WrongUsage(
    `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing. Or use --file with the whole body. ` +
      `See ./gatehouse ${namesOf(command).join(' ')} --help.`,
  );
}

function addCommonOptions(command: Command, isList: boolean): void {
  command.option('--json', isList ? 'print a JSON array, for programs' : 'print JSON, for programs');
  if (isList) command.option('--jsonl', 'print each item as JSON on a line of its own');
  addWhereOptions(command);
}

function descriptionOf(summary: string, description: string): string {
  const text = description.replaceAll('`', '').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
  return `${summary}. ${text}`;
}

const maxExampleFlags = 3;

/** What follows a command that can be run as it is, apart from names. */
function exampleOf(operation: Operation, flags: readonly Flag[]): string {
  const { params, body } = operation;
  const named = Object.keys(params.properties).map((name) => argument(exampleOfParameter(name)));
  const example = (body === null ? {} : exampleOfSchema(body)) as Record<string, unknown>;
  const subject = subjectOf(flags);
  if (subject) named.push(argument(exampleOfParameter(subject.property)));
  const shown = flags.filter(
    (flag) => example[flag.property] !== undefined && flag.kind !== 'json' && flag !== subject,
  );
  const needsFile = flags.some(({ kind, isRequired }) => kind === 'json' && isRequired);
  const options = shown.slice(0, maxExampleFlags).map((flag) => exampleOfFlag(flag, example[flag.property]));
  return [...named, ...(needsFile ? ['-f', `${commandOf(operation)[0]}.json`] : options)].join(' ');
}

function exampleOfFlag({ name, property, kind, isList }: Flag, value: unknown): string {
  if (kind === 'boolean') return value ? `--${name}` : `--no-${name}`;
  if (value === null) return `--no-${name}`;
  if (kind === 'image') return `--${name} logo.png`;
  const text = exampleOfParameter(property, isList ? (value as unknown[]).join(',') : String(value));
  return `--${name} ${argument(text)}`;
}

function namesOf(command: Command): string[] {
  return command.parent
    ? [...namesOf(command.parent), command.name()].filter((name) => name !== './gatehouse')
    : [];
}
