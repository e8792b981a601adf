import { parseArgs } from 'node:util';
import type { Source, SourceRun } from '@gatehouse/contract';
import { CommandFailure, WrongUsage } from '../app/failure.ts';
import { everyItem, type SiteApi } from './api/calls/site-api.ts';
import { statusOfKey } from './api/columns.ts';
import type { Mode, ToJson } from './api/mode.ts';
import { findApiKey } from './api/notes.ts';
import { parseDuration } from './shared/duration.ts';
import { counted } from './shared/output.ts';

// Commands as they were spelled before 0.1.0. They are not in the help, and print the JSON that programs know.

interface OldSpelling {
  readonly now: string;
  /** The options that the arguments were. */
  readonly positional?: readonly string[];
  /** How options are spelled now. */
  readonly renamed?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, (value: string) => string>>;
  /** Options without which it is refused. */
  readonly requires?: (args: readonly string[]) => void;
  /** Options that are set, unless they are given. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** How the arguments are written now, if their order differs. */
  readonly toArgs?: (args: string[]) => string[];
  readonly mode: Mode;
}

// biome-ignore lint/suspicious/noExplicitAny: the resource of any operation
type Resource = any;

const expiry = { '--expires-in': '--expires-at' };
const direct: Mode = { only: 'direct' };
const remote: Mode = { only: 'remote' };

const createdKey = async (api: SiteApi, { secret, ...key }: Resource) => {
  const { data: site } = (await api.send('getSite', {})) as Resource;
  const { id, name, last4, permissions, rateLimit, createdAt, expiresAt } = key;
  return { id, key: secret, site: site.slug, name, last4, permissions, rateLimit, createdAt, expiresAt };
};

const keyCreation: ToJson = async (_, api) => (created) => createdKey(api, created);

const keyRotation: ToJson =
  async ({ params }, api) =>
  async (created) => {
    const { id, last4, expiresAt } = await findApiKey(api, params!.keyId!);
    return { ...(await createdKey(api, created)), replaces: { id, last4, expiresAt } };
  };

const keyRevocation: ToJson =
  async ({ params }, api) =>
  async () => {
    const { id, last4, revokedAt } = await findApiKey(api, params!.keyId!);
    return { id, last4, revokedAt };
  };

const keyList: ToJson = async () => (keys) =>
  (keys as Resource[]).map((key) => ({ ...key, status: statusOfKey(key) }));

const invitation: ToJson = async (_, api) => (operator) => ({
  ...(operator as object),
  endedSetupLink: api.notes.length > 0,
});

const removal: ToJson = async ({ params }, api) => {
  const operator = await find(api, 'listOperators', {}, params!.operatorId!);
  return () => operator;
};

const tokenDeletion: ToJson = async ({ params }, api) => {
  const { memberId, tokenId } = params!;
  const { id, name } = await find(api, 'listAccessTokens', { memberId: memberId! }, tokenId!);
  return () => ({ id, name, memberId });
};

const sourceDeletion: ToJson = async ({ params, query }, api) => {
  const { id, name } = await find(api, 'listSources', {}, params!.sourceId!);
  return () => ({ id, name, groups: query?.groups ?? 'keep' });
};

/** @throws {CommandFailure} `confirmation_required` */
function requireConfirmation(args: readonly string[]): void {
  if (args.includes('--confirm') || !/--groups[= ]delete\b/.test(args.join(' '))) return;
  throw new CommandFailure(
    'confirmation_required',
    'This would delete the source and its groups, and end all memberships in them. Nothing was changed. Repeat it with ' +
      '--confirm, or keep the groups with --groups keep.',
  );
}

async function find(
  api: SiteApi,
  list: 'listOperators' | 'listAccessTokens' | 'listSources',
  params: Readonly<Record<string, string>>,
  id: string,
): Promise<Resource> {
  for await (const item of everyItem(api, list, { params })) if ((item as Resource).id === id) return item;
  return { id };
}

/** The source of the lists that `scope sync` uploads. */
const uploadSource = 'Command line';

async function ensureUploadSource(api: SiteApi): Promise<void> {
  for await (const source of everyItem(api, 'listSources', {}))
    if ((source as Source).name === uploadSource) return;
  await api.send('createSource', { body: { type: 'program', name: uploadSource } });
}

/** `scope sync people.csv --collection Team` as the upload of the collection. @throws {WrongUsage} */
function uploadArgs(args: string[]): string[] {
  if (args.includes('--help')) return ['--help'];
  const value = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { site: value, collection: value, map: { ...value, multiple: true }, json: flag } as const;
  const all = { ...options, 'dry-run': flag, confirm: flag } as const;
  const { values, positionals } = atUsage(() => parseArgs({ args, options: all, allowPositionals: true }));
  const { site, collection, map = [], json, 'dry-run': dryRun, confirm } = values;
  const [file, ...others] = positionals;
  if (file === undefined || collection === undefined || others.length > 0)
    throw new WrongUsage('Write ./gatehouse scope sync <people.csv> --collection <name>.');
  return [
    '--csv',
    file,
    ...map.flatMap((each) => ['--map', each]),
    '--wait',
    ...(site === undefined ? [] : ['--site', site]),
    ...(json ? ['--json'] : []),
    ...(dryRun ? ['--dry-run=true'] : []),
    ...(confirm ? ['--confirm-removals=true'] : []),
    '--',
    uploadSource,
    collection,
  ];
}

function atUsage<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new WrongUsage((error as Error).message);
  }
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

/** Whole hours, as the API counts them. */
function hoursOf(text: string): string {
  const hours = parseDuration(text) / 3_600_000;
  if (Number.isInteger(hours)) return String(hours);
  throw new WrongUsage(`--overlap is ${text}. Use whole hours, such as 24h.`);
}

const spellings: Readonly<Record<string, OldSpelling>> = {
  'key create': { now: 'api-keys create', renamed: expiry, mode: { ...direct, toJson: keyCreation } },
  'key list': { now: 'api-keys list', mode: { ...direct, toJson: keyList } },
  'key rotate': {
    now: 'api-keys rotate',
    renamed: { '--overlap': '--overlap-hours' },
    values: { '--overlap': hoursOf },
    mode: { ...direct, toJson: keyRotation },
  },
  'key revoke': { now: 'api-keys revoke', mode: { ...direct, isConfirmed: true, toJson: keyRevocation } },
  'signing-key list': { now: 'site signing-keys list', mode: direct },
  'signing-key rotate': { now: 'site signing-keys rotate', mode: direct },
  'operator invite': {
    now: 'operators invite',
    positional: ['--email'],
    renamed: { '--name': '--display-name' },
    mode: { ...direct, toJson: invitation },
  },
  'operator list': { now: 'operators list', mode: direct },
  'operator remove': { now: 'operators remove', mode: { ...direct, isConfirmed: true, toJson: removal } },
  'operator remove-passkeys': { now: 'operators remove-passkeys', mode: direct },
  'member import': { now: 'members import', mode: remote },
  'member export': { now: 'members export', mode: remote },
  'member list': {
    now: 'members list',
    renamed: { '--json': '--jsonl' },
    defaults: { '--limit': '50' },
    mode: remote,
  },
  'member token create': {
    now: 'members access-tokens create',
    renamed: { ...expiry, '--path': '--path-prefix' },
    mode: remote,
  },
  'site update': {
    now: 'site update',
    renamed: { '--colour': '--color', '--no-colour': '--no-color' },
    mode: {},
  },
  'source collections': { now: 'sources collections list', mode: remote },
  'source preview': { now: 'sources collections preview', mode: remote },
  'source choose': {
    now: 'sources collections choose',
    renamed: { '--ends': '--groups-end-at', '--no-ends': '--no-groups-end-at' },
    mode: remote,
  },
  'source remove': { now: 'sources collections remove', mode: remote },
  'source sync': {
    now: 'sources sync --wait',
    renamed: { '--dry-run': '--dry-run=true', '--confirm': '--confirm-removals=true' },
    mode: remote,
  },
  'source webhook': { now: 'sources webhook get --connect', mode: remote },
  'scope sync': {
    now: 'sources collections upload',
    toArgs: uploadArgs,
    mode: { ...direct, before: ensureUploadSource, requires: requireSuccess },
  },
  'source list': { now: 'sources list', mode: remote },
  'source create': {
    now: 'sources create',
    positional: ['--name'],
    renamed: { '--kind': '--type' },
    mode: remote,
  },
  'source update': {
    now: 'sources update',
    renamed: {
      '--enable': '--enabled=true',
      '--disable': '--no-enabled',
      '--interval': '--interval-minutes',
      '--leavers': '--on-leave',
    },
    mode: remote,
  },
  'source runs': { now: 'sources runs list', defaults: { '--limit': '20' }, mode: remote },
  'source delete': {
    now: 'sources delete',
    renamed: { '--confirm': '--yes' },
    requires: requireConfirmation,
    mode: { ...remote, isConfirmed: true, toJson: sourceDeletion },
  },
  'member token list': { now: 'members access-tokens list', mode: remote },
  'member token delete': {
    now: 'members access-tokens delete',
    mode: { ...remote, isConfirmed: true, toJson: tokenDeletion },
  },
};

export interface Respelled {
  readonly args: readonly string[];
  readonly mode: Mode;
}

/** The arguments as they are spelled now; undefined if they are not an old spelling. @throws {WrongUsage} */
export function respell(args: readonly string[]): Respelled | undefined {
  const length = [3, 2].find((count) => Object.hasOwn(spellings, args.slice(0, count).join(' ')));
  if (length === undefined) {
    const group = Object.entries(spellings).find(([name]) => name.split(' ')[0] === args[0]);
    return group && { args: [group[1].now.split(' ')[0]!, ...args.slice(1)], mode: {} };
  }
  const { now, toArgs, mode, ...spelling } = spellings[args.slice(0, length).join(' ')]!;
  const rest = args.slice(length);
  return { args: [...now.split(' '), ...(toArgs?.(rest) ?? optionsOf(spelling, rest))], mode };
}

function optionsOf(spelling: Omit<OldSpelling, 'now' | 'mode'>, args: readonly string[]): string[] {
  const { positional = [], renamed = {}, values = {}, defaults = {}, requires } = spelling;
  const names = args.map((arg) => /^--[\w-]+/.exec(arg)?.[0]);
  for (const pair of [
    ['--expires-in', '--expires-at'],
    ['--enable', '--disable'],
  ])
    if (pair.every((name) => names.includes(name))) throw new WrongUsage(`Use either ${pair.join(' or ')}.`);
  requires?.(args);
  const respelled: string[] = [];
  const rest = [...args];
  for (const option of rest[0]?.startsWith('-') ? [] : positional.slice(0, rest.length))
    respelled.push(option, rest.shift()!);
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, name = arg, , given] = /^(--[\w-]+)(=([\s\S]*))?$/.exec(arg) ?? [];
    const now = renamed[name] ?? name;
    const convert = values[name];
    if (convert) respelled.push(now, convert(given ?? rest.shift() ?? ''));
    else respelled.push(given === undefined ? now : `${now}=${given}`);
  }
  const missing = Object.entries(defaults).filter(([name]) => !names.includes(name));
  return [...missing.flat(), ...respelled];
}
