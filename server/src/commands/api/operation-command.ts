import type { Operation, OperationId } from '@gatehouse/contract';
import { exampleOf } from '@gatehouse/contract';
import { type Command, Option } from 'commander';
import { WrongUsage } from '../../app/failure.ts';
import { gather } from '../shared/add-command.ts';
import { argument } from '../shared/output.ts';
import { additions } from './additions.ts';
import { type Flag, flagsOf } from './flags.ts';
import { argumentName } from './operation-names.ts';
import { exampleOfParameter, nameHint } from './references.ts';
import { type OperationOptions, type Run, runOperation, type ToJson } from './run.ts';
import { lowered } from './schema.ts';
import type { SiteApi } from './site-api.ts';

type ExtraCall = Parameters<NonNullable<Run['given']['extra']>>;

/** How a command is run, if not as it is spelled now. */
export interface Mode {
  readonly toJson?: ToJson | undefined;
  /** Only on the database, or only with a service. */
  readonly only?: 'direct' | 'remote' | undefined;
  readonly isConfirmed?: true | undefined;
}

/** Adds the command of an operation. @param usage of the command that creates what a list shows */
export function addOperationCommand(
  parent: Command,
  operation: Operation,
  { verb, creation, mode }: { verb: string; creation: string | undefined; mode: Mode },
): void {
  const { id, summary, description, params, method, body } = operation;
  const command = parent
    .command(verb)
    .summary(lowered(summary))
    .description(descriptionOf(summary, description));
  for (const parameter of Object.keys(params.properties))
    command.argument(`<${argumentName(parameter)}>`, nameHint(parameter));
  const addition = additions[id as OperationId];
  const flags = flagsOf(operation).filter(({ property }) => !addition?.replaces.includes(property));
  for (const flag of flags) addFlag(command, flag);
  addition?.addOptions(command);
  if (body !== null)
    command.option('-f, --file <file>', 'the body as JSON in a file; - for the standard input');
  if (method === 'DELETE') command.option('--yes', 'confirm it, also without a terminal');
  addCommonOptions(command, 'limit' in operation.query.properties);
  command.addHelpText('after', `\nExample:\n  $ ./gatehouse ${exampleOfCommand(command, operation, flags)}`);
  command.action(async () => {
    const named = command.processedArgs as string[];
    // Of `site update <site>`, which has no path parameter.
    const [slug] = named.slice(Object.keys(params.properties).length);
    const { ...options } = command.opts();
    if (mode.isConfirmed) options.yes = true;
    options.site ??= slug;
    const given = new Map(flags.flatMap((flag) => givenOf(command, flag)));
    if (options.file === undefined) requireFlags(command, flags, given);
    const extra = addition && ((...call: ExtraCall) => addition.fieldsOf(options, ...call));
    const run: Run = {
      operation,
      given: { named, flags: given, file: options.file, extra },
      options,
      creation,
      toJson: mode.toJson,
    };
    await onSite(options, mode, (api) => runOperation(run, api));
  });
}

function addFlag(command: Command, flag: Flag): void {
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

function givenOf(command: Command, flag: Flag): [Flag, string | boolean | readonly string[]][] {
  const option = command.options.find(({ long }) => long === `--${flag.name}`)!;
  const value = command.getOptionValue(option.attributeName());
  return value === undefined ? [] : [[flag, value]];
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

/** With a key, or the URL of a service, it is used; otherwise the configured database. */
async function onSite(
  { site, ...connection }: OperationOptions,
  { only }: Mode,
  work: (api: SiteApi) => Promise<void>,
): Promise<void> {
  const { url, key } = connection;
  const isNamed = url !== undefined || key !== undefined;
  if (site !== undefined && isNamed)
    throw new WrongUsage(
      'Use either --site, for the configured database, or --url and --key, for a service.',
    );
  const { GATEHOUSE_URL, GATEHOUSE_KEY } = process.env;
  const isRemote = isNamed || (site === undefined && Boolean(GATEHOUSE_URL || GATEHOUSE_KEY));
  if (only === 'remote' || (only === undefined && isRemote)) {
    const { withRemoteApi } = await import('./remote-api.ts');
    return withRemoteApi(connection, work);
  }
  const { withDirectApi } = await import('./direct-api.ts');
  return withDirectApi(site, work);
}

function addCommonOptions(command: Command, isList: boolean): void {
  command.option('--json', isList ? 'print a JSON array, for programs' : 'print JSON, for programs');
  if (isList) command.option('--jsonl', 'print each item as JSON on a line of its own');
  command
    .optionsGroup('Where:')
    .option('--site <slug>', 'the site in the configured database (not needed if there is only one)')
    .option('--url <url>', 'use the service at this URL instead (default: GATEHOUSE_URL)')
    .option('--key <key>', 'the API key for it (default: GATEHOUSE_KEY, which other users cannot see)');
}

function descriptionOf(summary: string, description: string): string {
  const text = description.replaceAll('`', '').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
  return `${summary}. ${text}`;
}

const maxExampleFlags = 3;

/** A command that can be run as it is, apart from names. */
function exampleOfCommand(command: Command, { params, body }: Operation, flags: readonly Flag[]): string {
  const words = namesOf(command);
  const named = Object.keys(params.properties).map((name) => argument(exampleOfParameter(name)));
  const example = (body === null ? {} : exampleOf(body)) as Record<string, unknown>;
  const shown = flags.filter(({ property, kind }) => example[property] !== undefined && kind !== 'json');
  const needsFile = flags.some(({ kind, isRequired }) => kind === 'json' && isRequired);
  const options = shown.slice(0, maxExampleFlags).map((flag) => exampleOfFlag(flag, example[flag.property]));
  return [...words, ...named, ...(needsFile ? ['-f', `${words[0]}.json`] : options)].join(' ');
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
