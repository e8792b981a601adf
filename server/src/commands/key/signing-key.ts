import type { SigningKey, Site } from '@gatehouse/contract';
import type { Command } from 'commander';
import { CommandFailure } from '../../app/failure.ts';
import { ensureSecretKeys, requireSecretKey } from '../../app/settings/secret-keys.ts';
import { readSettings } from '../../app/settings/settings.ts';
import type { Timestamp } from '../../base/clock.ts';
import { SecretBox } from '../../base/encryption/secret-box.ts';
import { inspectSigningKeys } from '../../domain/signing-keys/signing-key-secrets.ts';
import { listSigningKeys, rotateSigningKeys } from '../../domain/signing-keys/signing-keys.ts';
import type { Queries } from '../../storage/database.ts';
import { addCommand, type CommonOptions } from '../shared/add-command.ts';
import { print, table } from '../shared/output.ts';
import { changeSite, requireSite, withDatabase } from '../shared/store.ts';

const siteOption = ['--site <slug>', 'the site (not needed if there is only one)'] as const;

interface SiteOptions extends CommonOptions {
  readonly site?: string;
}

interface RotateOptions extends SiteOptions {
  readonly revokeOld?: boolean;
}

export function addSigningKeyCommands(program: Command): void {
  const key = program
    .command('signing-key')
    .description('list and rotate the keys that sign edge tokens and identity tokens');

  addCommand(key, 'list', 'list the published signing keys of a site', ['signing-key list --site club'])
    .option(...siteOption)
    .action(list);

  addCommand(key, 'rotate', 'create a signing key, which replaces the one before it', [
    'signing-key rotate --site club',
  ])
    .option(...siteOption)
    .option('--revoke-old', 'the new key signs immediately, and tokens of older keys become invalid')
    .action(rotate);
}

async function list({ json, site: slug }: SiteOptions): Promise<void> {
  const now = new Date().toISOString();
  const keys = await withDatabase(async (database) =>
    listSigningKeys({ db: database, siteId: (await requireSite(database, slug)).id, now }),
  );
  print(json, keys, keys.length === 0 ? 'There is no signing key yet.' : keyTable(keys, now));
}

async function rotate({ json, site: slug, revokeOld = false }: RotateOptions): Promise<void> {
  const settings = readSettings(process.env);
  requireSecretKey(settings);
  const secrets = new SecretBox(ensureSecretKeys(settings));
  const key = await changeSite(slug, async (change, site) => {
    if (!revokeOld) await requireReadable(change.db, site, secrets);
    return rotateSigningKeys(change, { revokeOld }, secrets);
  });
  const isWaiting = key.signsFrom > new Date().toISOString();
  print(
    json,
    key,
    `Created the signing key ${key.id}. It signs ${isWaiting ? `from ${key.signsFrom} on` : 'now'}.`,
  );
}

/** A key that is sealed with another secret key than that of the service could not sign. @throws {CommandFailure} */
async function requireReadable(db: Queries, { id, slug }: Site, secrets: SecretBox): Promise<void> {
  const [unreadable] = (await inspectSigningKeys({ db, siteId: id }, secrets)).unreadable;
  if (unreadable === undefined) return;
  throw new CommandFailure(
    'secret_key_unusable',
    `The ${unreadable} of ${slug} cannot be opened. Set GATEHOUSE_SECRET_KEY as for the service, or use --revoke-old.`,
  );
}

function keyTable(keys: readonly SigningKey[], now: Timestamp): string {
  return table(
    ['ID', 'CREATED', 'SIGNS FROM', 'PUBLISHED UNTIL', 'STATUS'],
    keys.map((key) => [key.id, key.createdAt, key.signsFrom, key.publishedUntil, stateOf(key, keys, now)]),
  );
}

function stateOf({ id, signsFrom }: SigningKey, keys: readonly SigningKey[], now: Timestamp): string {
  if (signsFrom > now) return 'waiting';
  return keys.find((key) => key.signsFrom <= now)?.id === id ? 'signing' : 'replaced';
}
