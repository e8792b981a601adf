import { CommandFailure, WrongUsage } from '../app/failure.ts';
import { statusOfKey } from './api/columns.ts';
import { findApiKey } from './api/notes.ts';
import type { Mode } from './api/operation-command.ts';
import type { ToJson } from './api/run.ts';
import { everyItem, type SiteApi } from './api/site-api.ts';
import { parseDuration } from './shared/duration.ts';

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
  if (length === undefined && args[0] === 'source') return undefined;
  if (length === undefined) {
    const group = Object.entries(spellings).find(([name]) => name.split(' ')[0] === args[0]);
    return group && { args: [group[1].now.split(' ')[0]!, ...args.slice(1)], mode: {} };
  }
  const spelling = spellings[args.slice(0, length).join(' ')]!;
  return {
    args: [...spelling.now.split(' '), ...optionsOf(spelling, args.slice(length))],
    mode: spelling.mode,
  };
}

function optionsOf(spelling: OldSpelling, args: readonly string[]): string[] {
  const { positional = [], renamed = {}, values = {}, defaults = {}, requires } = spelling;
  const names = args.map((arg) => /^--[\w-]+/.exec(arg)?.[0]);
  for (const [old, now] of Object.entries(renamed)) {
    if (names.includes(old) && names.includes(now)) throw new WrongUsage(`Use either ${old} or ${now}.`);
  }
  requires?.(args);
  if (names.includes('--enable') && names.includes('--disable'))
    throw new WrongUsage('Use either --enable or --disable.');
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
