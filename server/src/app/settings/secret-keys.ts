import { existsSync } from 'node:fs';
import { newSecretKey, parseSecretKeys } from '../../base/encryption/secret-box.ts';
import { dialectOf, sqlitePath } from '../../storage/database-url.ts';
import { ensureKeyFile, keyFileOf, readKeyFile } from '../../storage/sqlite/key-file.ts';
import { CommandFailure } from '../failure.ts';
import { SettingError } from './setting-error.ts';
import type { Settings } from './settings.ts';

type KeySettings = Pick<Settings, 'databaseUrl' | 'secretKeys'>;

/**
 * Checks that the service can have a key, before the store changes. Several machines may share a PostgreSQL database, so
 * no key is made for it.
 * @throws {SettingError | CommandFailure}
 */
export function requireSecretKey(settings: KeySettings): void {
  if (findSecretKeys(settings).length > 0 || dialectOf(settings.databaseUrl) === 'sqlite') return;
  throw new SettingError(
    'GATEHOUSE_SECRET_KEY is missing, the key that encrypts secrets in the database',
    'Make a key with ./gatehouse secret-key, and set it for every Gatehouse on this PostgreSQL database',
  );
}

/**
 * The keys of the service: those of the setting, or else of the key file, which is created with the first start.
 * @throws {CommandFailure} for a file without a key
 */
export function ensureSecretKeys(settings: KeySettings): readonly string[] {
  const file = keyFileFor(settings);
  if (file === undefined) return settings.secretKeys;
  return parseKeyFile(file, ensureKeyFile(sqlitePath(settings.databaseUrl), newSecretKey));
}

/** The keys that are there, without creating one. @throws {CommandFailure} for a file without a key */
export function findSecretKeys(settings: KeySettings): readonly string[] {
  const file = keyFileFor(settings);
  if (file === undefined) return settings.secretKeys;
  const text = readKeyFile(sqlitePath(settings.databaseUrl));
  return text === undefined ? [] : parseKeyFile(file, text);
}

/** Where the key is: its file, or the name of the setting. Undefined if there is none yet. */
export function nameSecretKey(settings: KeySettings): string | undefined {
  const file = keyFileFor(settings);
  if (file === undefined) return 'GATEHOUSE_SECRET_KEY';
  return existsSync(file) ? file : undefined;
}

/** The file that the keys are read from; undefined if the setting has them. */
export function keyFileFor({ databaseUrl, secretKeys }: KeySettings): string | undefined {
  if (secretKeys.length > 0 || dialectOf(databaseUrl) === 'postgres') return undefined;
  return keyFileOf(sqlitePath(databaseUrl));
}

function parseKeyFile(file: string, text: string): readonly string[] {
  const keys = parseSecretKeys(text);
  if (keys) return keys;
  throw new CommandFailure(
    'secret_key_unusable',
    `${file} contains no key. Restore it. If it is lost, delete it: then a new key is made, and all secrets of sources ` +
      'have to be entered again.',
  );
}
