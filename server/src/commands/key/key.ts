import type { Site } from '@gatehouse/contract';
import {
  defaultPermissions,
  permissions as knownPermissions,
  type Permission,
} from '@gatehouse/contract/permissions';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CommandFailure, WrongUsage } from '../../app/failure.ts';
import { type Timestamp, timestampAfter } from '../../base/clock.ts';
import { type ApiKey, isInForce } from '../../domain/api-keys/api-key.ts';
import {
  type CreatedApiKey,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../../domain/api-keys/api-keys.ts';
import type { Queries } from '../../storage/database.ts';
import { addCommand, type CommonOptions, wholeNumber } from '../shared/add-command.ts';
import { parseDuration } from '../shared/duration.ts';
import {
  addExpiryOptions,
  describeExpiry,
  type ExpiryOptions,
  endOf,
  endText,
  expiryOf,
  untilText,
} from '../shared/expiry.ts';
import { print, table } from '../shared/output.ts';
import { changeSite, requireSite, withDatabase } from '../shared/store.ts';

const defaultOverlap = '24h';
const siteOption = ['--site <slug>', 'the site (not needed if there is only one)'] as const;

interface SiteOptions extends CommonOptions {
  readonly site?: string;
}

interface CreateOptions extends SiteOptions, ExpiryOptions {
  readonly name: string;
  readonly permissions?: readonly Permission[];
  readonly rateLimit?: number;
}

interface RotateOptions extends SiteOptions {
  readonly overlap: number;
}

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('create, list, rotate and revoke API keys');

  const creation = addCommand(key, 'create', 'create an API key, which is shown only once', [
    'key create --site club --name Shop --permissions members:read,members:write --expires-in 90d',
  ])
    .option(...siteOption)
    .requiredOption('--name <name>', 'what the key is for')
    .option(
      '--permissions <list>',
      `any of ${knownPermissions.join(',')} (default: ${defaultPermissions.join(',')})`,
      parsePermissions,
    );
  addExpiryOptions(creation)
    .option('--rate-limit <number>', 'requests in 60 s, 0 for no limit', wholeNumber(0))
    .action(create);

  addCommand(key, 'list', 'list the API keys of a site', ['key list --site club'])
    .option(...siteOption)
    .action(list);

  addCommand(key, 'rotate <key>', 'replace the key with this ID or these last 4 characters', [
    'key rotate x7Qa --site club --overlap 24h',
  ])
    .option(...siteOption)
    .addOption(
      new Option('--overlap <duration>', 'how long the old key stays valid; 0 revokes it immediately')
        .argParser(parseDuration)
        .default(parseDuration(defaultOverlap), defaultOverlap),
    )
    .action(rotate);

  addCommand(key, 'revoke <key>', 'revoke the key with this ID or these last 4 characters', [
    'key revoke x7Qa --site club',
  ])
    .option(...siteOption)
    .action(revoke);
}

async function create(options: CreateOptions): Promise<void> {
  const { json, name, permissions, rateLimit } = options;
  const expiry = expiryOf(options);
  const input = {
    name,
    ...(permissions === undefined ? {} : { permissions }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
  };
  const { created, site } = await changeSite(options.site, async (change, site) => {
    const expiresAt = expiry && endOf(expiry, site.timeZone);
    return { created: await createApiKey(change, { ...input, expiresAt }), site };
  });
  const { apiKey, secret } = created;
  print(json, toJson(created, site.slug), `${secret}\n\n${secretNote(apiKey, site)}`);
}

async function list({ json, site: slug }: SiteOptions): Promise<void> {
  const { keys, site } = await withDatabase(async (database) => {
    const site = await requireSite(database, slug);
    return { keys: await listApiKeys({ db: database, siteId: site.id }), site };
  });
  const now = new Date().toISOString();
  const rows = keys.map((key) => ({ ...key, status: statusOf(key, now) }));
  print(
    json,
    rows,
    rows.length === 0
      ? `The site ${site.slug} has no key. Create one: ./gatehouse key create --site ${site.slug} --name <name>`
      : table(
          ['LAST 4', 'NAME', 'STATUS', 'EXPIRES', 'RATE LIMIT', 'PERMISSIONS', 'ID'],
          rows.map(({ last4, name, status, expiresAt, rateLimit, permissions, id }) => [
            `…${last4}`,
            name,
            status,
            expiresAt && endText(expiresAt, site.timeZone),
            rateLimit ?? 'default',
            permissionsText(permissions),
            id,
          ]),
        ),
  );
}

async function rotate(named: string, { json, site: slug, overlap }: RotateOptions): Promise<void> {
  const { created, old, site } = await changeSite(slug, async (change, site) => {
    const { db, now } = change;
    const { id } = await requireKey(db, site, named, now);
    const created = await rotateApiKey(change, id, timestampAfter(now, overlap));
    const old = (await listApiKeys({ db, siteId: site.id })).find((key) => key.id === id)!;
    return { created, old, site };
  });
  const { timeZone } = site;
  const ends =
    overlap === 0
      ? 'The old key is revoked.'
      : `The old key …${old.last4} is valid until ${untilText(old.expiresAt!, timeZone)}.`;
  print(
    json,
    {
      ...toJson(created, site.slug),
      replaces: { id: old.id, last4: old.last4, expiresAt: old.expiresAt },
    },
    `${created.secret}\n\n${secretNote(created.apiKey, site)}\n${ends}`,
  );
}

async function revoke(named: string, { json, site: slug }: SiteOptions): Promise<void> {
  const { key, revokedAt } = await changeSite(slug, async (change, site) => {
    const key = await requireKey(change.db, site, named, change.now);
    await revokeApiKey(change, key.id);
    return { key, revokedAt: change.now };
  });
  print(json, { id: key.id, last4: key.last4, revokedAt }, `The key …${key.last4} (${key.name}) is revoked.`);
}

/** Finds a key by its ID, or by its last characters with priority for valid keys. */
async function requireKey(db: Queries, site: Site, named: string, now: Timestamp): Promise<ApiKey> {
  const keys = await listApiKeys({ db, siteId: site.id });
  const byId = keys.find(({ id }) => id === named.toLowerCase());
  if (byId) return byId;
  const byEnding = keys.filter(({ last4 }) => named.length >= 4 && named.endsWith(last4));
  const inForce = byEnding.filter((key) => isInForce(key, now));
  const found = inForce.length > 0 ? inForce : byEnding;
  if (found.length === 1) return found[0]!;
  throw found.length === 0
    ? new CommandFailure(
        'key_not_found',
        `${site.slug} has no key ${shorten(named)}. See ./gatehouse key list --site ${site.slug}.`,
      )
    : new WrongUsage(
        `Several keys end in ${shorten(named)}. Use the ID: ${found.map(({ id }) => id).join(', ')}.`,
      );
}

/** The argument may be a whole key, which must not appear in a message. */
function shorten(named: string): string {
  return named.startsWith('gate_') ? `…${named.slice(-4)}` : `"${named}"`;
}

function parsePermissions(text: string): Permission[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  const unknown = names.filter((name) => !knownPermissions.includes(name as Permission));
  if (names.length > 0 && unknown.length === 0) return names as Permission[];
  throw new InvalidArgumentError(`Use any of ${knownPermissions.join(', ')}.`);
}

function statusOf(key: ApiKey, now: Timestamp): string {
  if (key.revokedAt !== null) return 'revoked';
  if (!isInForce(key, now)) return key.replacedBy === null ? 'expired' : 'replaced';
  return key.replacedBy === null ? 'active' : 'active, being replaced';
}

function permissionsText(permissions: readonly Permission[]): string {
  const isDefault = permissions.join() === defaultPermissions.join();
  return isDefault ? 'default' : permissions.join(',');
}

function toJson({ apiKey, secret }: CreatedApiKey, site: string) {
  const { id, name, last4, permissions, rateLimit, createdAt, expiresAt } = apiKey;
  return { id, key: secret, site, name, last4, permissions, rateLimit, createdAt, expiresAt };
}

function secretNote({ id, name, expiresAt }: ApiKey, { slug, timeZone }: Site): string {
  return `Copy this key now: it is shown only once.\nName: ${name}. ID: ${id}. Site: ${slug}. ${describeExpiry(expiresAt, timeZone)}`;
}
