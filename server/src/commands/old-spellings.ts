import type { Source, SourceRun } from '@gatehouse/contract';
import { CommandFailure, WrongUsage } from '../app/failure.ts';
import { everyItem, type SiteApi } from './api/calls/site-api.ts';
import type { Mode } from './api/mode.ts';
import {
  invitation,
  keyCreation,
  keyList,
  keyRevocation,
  keyRotation,
  removal,
  sourceDeletion,
  sourceWebhook,
  tokenDeletion,
} from './old-json.ts';
import { parseDuration } from './shared/duration.ts';
import { counted } from './shared/output.ts';

// Commands as they were spelled before 0.1.0. They are not in the help, and print the JSON that programs know.

interface OldSpelling extends Pick<Mode, 'toJson' | 'before' | 'requires'> {
  readonly now: string;
  /** The command that it is with an option. */
  readonly instead?: Readonly<Record<string, string>>;
  /** The options that the arguments were. */
  readonly positional?: readonly string[];
  /** The arguments now: a source, and the collection that an option named. */
  readonly named?: { readonly source: string; readonly option: string; readonly usage: string };
  /** How options are spelled now. */
  readonly renamed?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, (value: string) => string>>;
  /** Options without which it is refused. */
  readonly check?: (args: readonly string[]) => void;
  /** Options that are set, unless they are given. */
  readonly defaults?: Readonly<Record<string, string>>;
}

/** @throws {CommandFailure} `confirmation_required` */
function requireConfirmation(args: readonly string[]): void {
  if (args.includes('--confirm') || !/--groups[= ]delete\b/.test(args.join(' '))) return;
  throw new CommandFailure(
    'confirmation_required',
    'This would delete the source and its groups, and end all memberships in them. Nothing was changed. Repeat it with ' +
      '--confirm, or keep the groups with --groups keep.',
  );
}

/** The source of the lists that `scope sync` uploads. */
const uploadSource = 'Command line';

async function ensureUploadSource(api: SiteApi): Promise<void> {
  for await (const source of everyItem(api, 'listSources', {}))
    if ((source as Source).name === uploadSource) return;
  await api.send('createSource', { body: { type: 'program', name: uploadSource } });
}

/** @throws {CommandFailure} `sync_failed`, `too_many_removals` */
function requireSuccess(result: unknown): void {
  const { status, error, collections, counts, dryRun } = result as SourceRun;
  const failure = error ?? collections.find((each) => each.error !== null)?.error;
  if (failure) throw new CommandFailure('sync_failed', `${failure.message} Repeat the command.`);
  if (dryRun) process.exitCode = undefined;
  else if (status === 'confirmation_required')
    throw new CommandFailure(
      'too_many_removals',
      `This would remove ${counted(counts.withheld, 'person', 'people')} from the group, so nobody was removed; new people ` +
        'were added. Use --dry-run to see who would be removed. If the removals are correct, repeat the command with --confirm.',
    );
}

const maxHours = 8_760;

/** Whole hours, as the API counts them. @throws {WrongUsage} */
function hoursOf(text: string): string {
  const hours = /^(0|\d{1,9}[smhdw])$/.test(text.trim()) ? parseDuration(text) / 3_600_000 : Number.NaN;
  if (Number.isInteger(hours) && hours <= maxHours) return String(hours);
  throw new WrongUsage(
    `--overlap is "${text}". Use whole hours or days up to a year, such as 24h or 7d, or 0 to end the old key immediately.`,
  );
}

/** Where the commands of a noun worked. */
const places: Readonly<Record<string, Mode['only']>> = {
  key: 'direct',
  'signing-key': 'direct',
  operator: 'direct',
  scope: 'direct',
  member: 'remote',
  source: 'remote',
};

const expiry = { '--expires-in': '--expires-at' };

const spellings: Readonly<Record<string, OldSpelling>> = {
  'key create': { now: 'api-keys create', renamed: expiry, toJson: keyCreation },
  'key list': { now: 'api-keys list', toJson: keyList },
  'key rotate': {
    now: 'api-keys rotate',
    renamed: { '--overlap': '--overlap-hours' },
    values: { '--overlap': hoursOf },
    toJson: keyRotation,
  },
  'key revoke': { now: 'api-keys revoke', toJson: keyRevocation },
  'signing-key list': { now: 'site signing-keys list' },
  'signing-key rotate': { now: 'site signing-keys rotate' },
  'operator invite': {
    now: 'operators invite',
    positional: ['--email'],
    renamed: { '--name': '--display-name' },
    toJson: invitation,
  },
  'operator list': { now: 'operators list' },
  'operator remove': { now: 'operators remove', toJson: removal },
  'operator remove-passkeys': { now: 'operators remove-passkeys' },
  'site update': { now: 'site update', renamed: { '--colour': '--color', '--no-colour': '--no-color' } },
  'scope sync': {
    now: 'sources collections upload --wait',
    positional: ['--csv'],
    named: {
      source: uploadSource,
      option: '--collection',
      usage: 'scope sync <people.csv> --collection <name>',
    },
    renamed: { '--dry-run': '--dry-run=true', '--confirm': '--confirm-removals=true' },
    before: ensureUploadSource,
    requires: requireSuccess,
  },
  'member import': { now: 'members import' },
  'member export': { now: 'members export' },
  'member list': {
    now: 'members list',
    renamed: { '--json': '--jsonl' },
    defaults: { '--limit': '50' },
  },
  'member token create': {
    now: 'members access-tokens create',
    renamed: { ...expiry, '--path': '--path-prefix' },
  },
  'member token list': { now: 'members access-tokens list' },
  'member token delete': { now: 'members access-tokens delete', toJson: tokenDeletion },
  'source list': { now: 'sources list' },
  'source create': { now: 'sources create', positional: ['--name'], renamed: { '--kind': '--type' } },
  'source collections': { now: 'sources collections list' },
  'source preview': { now: 'sources collections preview' },
  'source choose': {
    now: 'sources collections choose',
    renamed: { '--ends': '--groups-end-at', '--no-ends': '--no-groups-end-at' },
  },
  'source remove': { now: 'sources collections remove' },
  'source update': {
    now: 'sources update',
    renamed: {
      '--enable': '--enabled=true',
      '--disable': '--no-enabled',
      '--interval': '--interval-minutes',
      '--leavers': '--on-leave',
    },
  },
  'source sync': {
    now: 'sources sync --wait',
    renamed: { '--dry-run': '--dry-run=true', '--confirm': '--confirm-removals=true' },
  },
  'source runs': { now: 'sources runs list', defaults: { '--limit': '20' } },
  'source webhook': {
    now: 'sources webhook get --connect',
    instead: { '--reset': 'sources webhook reset' },
    toJson: sourceWebhook,
  },
  'source delete': {
    now: 'sources delete',
    renamed: { '--confirm': '--yes' },
    check: requireConfirmation,
    toJson: sourceDeletion,
  },
};

export interface Respelled {
  readonly args: readonly string[];
  readonly mode: Mode;
}

/** The arguments as they are spelled now; undefined if they are not an old spelling. @throws {WrongUsage} */
export function respell(args: readonly string[]): Respelled | undefined {
  const length = [3, 2].find((count) => Object.hasOwn(spellings, args.slice(0, count).join(' ')));
  if (length === undefined) return respellGroup(args);
  const spelling = spellings[args.slice(0, length).join(' ')]!;
  const { toJson, before, requires, instead = {} } = spelling;
  const given = args.slice(length);
  const other = given.find((arg) => Object.hasOwn(instead, arg));
  const now = other === undefined ? spelling.now : instead[other]!;
  const rest = given.filter((arg) => other === undefined || arg !== other);
  const mode: Mode = { only: places[args[0]!], isConfirmed: true, toJson, before, requires };
  return { args: [...now.split(' '), ...respelledRest(spelling, rest)], mode };
}

/** A noun, or one with a verb that it never had. */
function respellGroup(args: readonly string[]): Respelled | undefined {
  const names = Object.keys(spellings);
  const length = [2, 1].find((count) => names.some((name) => isPart(args.slice(0, count), name)));
  if (length === undefined) return undefined;
  const { now } = spellings[names.find((name) => isPart(args.slice(0, length), name))!]!;
  return { args: [...now.split(' ').slice(0, length), ...args.slice(length)], mode: {} };
}

function isPart(args: readonly string[], name: string): boolean {
  return name.startsWith(`${args.join(' ')} `);
}

const exclusive = [
  ['--expires-in', '--expires-at'],
  ['--enable', '--disable'],
];

/** Options without a value, of the commands that have an argument which is an option now. */
const switches: ReadonlySet<string> = new Set(['--json', '--help', '-h', '--dry-run', '--confirm']);

function respelledRest(spelling: OldSpelling, args: readonly string[]): string[] {
  const { positional = [], named, renamed = {}, values = {}, defaults = {}, check } = spelling;
  const names = args.map((arg) => /^--[\w-]+/.exec(arg)?.[0]);
  for (const pair of exclusive)
    if (pair.every((name) => names.includes(name))) throw new WrongUsage(`Use either ${pair.join(' or ')}.`);
  check?.(args);
  const respelled = Object.entries(defaults)
    .filter(([each]) => !names.includes(each))
    .flat();
  const left = [...positional];
  const rest = [...args];
  let collection: string | undefined;
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, name = arg, given] = /^(--?[\w-]+)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    const now = renamed[name] ?? name;
    const hasValue = values[name] !== undefined || (positional.length > 0 && !switches.has(name));
    if (arg === '--' && positional.length > 0) continue;
    if (!arg.startsWith('-')) respelled.push(...left.splice(0, 1), arg);
    else if (!hasValue || (given === undefined && rest.length === 0))
      respelled.push(given === undefined ? now : `${now}=${given}`);
    else {
      const value = given ?? rest.shift()!;
      if (name === named?.option) collection = value;
      else respelled.push(now, values[name]?.(value) ?? value);
    }
  }
  if (named === undefined || names.includes('--help')) return respelled;
  if (collection === undefined || left.length > 0) throw new WrongUsage(`Write ./gatehouse ${named.usage}.`);
  return [...respelled, '--', named.source, collection];
}
