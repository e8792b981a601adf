import { statSync } from 'node:fs';
import { describeFailure } from '../../../app/describe-failure.ts';
import { findSecretKeys, keyFileFor } from '../../../app/settings/secret-keys.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { SecretBox } from '../../../base/encryption/secret-box.ts';
import { listSites } from '../../../domain/sites/sites.ts';
import { everySealedText } from '../../../runtime/sealed-texts.ts';
import type { Queries } from '../../../storage/database.ts';
import { sqlitePath } from '../../../storage/database-url.ts';
import { shellQuoted } from '../../database/database-url.ts';
import { type Check, fail, ok, warn } from './check.ts';

const maxShown = 3;

/** Checks the key of stored secrets, and that it opens them. */
export async function checkSecrets(db: Queries, settings: Settings): Promise<Check[]> {
  let keys: readonly string[];
  try {
    keys = findSecretKeys(settings);
  } catch (error) {
    const { message } = describeFailure(error);
    return [fail('secret key', 'cannot be read', message)];
  }
  return [checkKey(settings, keys), await checkReadable(db, keys)];
}

function checkKey(settings: Settings, keys: readonly string[]): Check {
  const file = keyFileFor(settings);
  const older = keys.length > 1 ? ', with an older one' : '';
  if (file === undefined && keys.length > 0) {
    return ok('secret key', `in ${settings.secretFiles.secretKey ?? 'GATEHOUSE_SECRET_KEY'}${older}`);
  }
  if (file === undefined) {
    const advice = 'Make a key with ./gatehouse secret-key. Without it, the service does not start.';
    return warn('secret key', 'GATEHOUSE_SECRET_KEY is missing', advice);
  }
  if (keys.length === 0) return ok('secret key', `none yet; the service creates it in ${file}`);
  return checkKeyFile(file, sqlitePath(settings.databaseUrl)) ?? ok('secret key', `in ${file}${older}`);
}

/** A warning if someone else than the owner of the database can read its key. */
function checkKeyFile(file: string, database: string): Check | undefined {
  const { mode, uid } = statSync(file);
  if ((mode & 0o077) !== 0) {
    const advice = `Run: chmod 600 ${shellQuoted(file)}`;
    return warn('secret key', `other users of this machine can access ${file}`, advice);
  }
  const owner = statSync(database).uid;
  if (uid === owner) return undefined;
  const advice = `Run: chown ${owner} ${shellQuoted(file)}`;
  return warn('secret key', `${file} has another owner than the database`, advice);
}

async function checkReadable(db: Queries, keys: readonly string[]): Promise<Check> {
  const secrets = new SecretBox(keys);
  let [stored, old] = [0, 0];
  const unreadable: string[] = [];
  for (const { id, slug } of await listSites(db)) {
    for (const texts of everySealedText) {
      const state = await texts.inspect({ db, siteId: id }, secrets);
      stored += state.stored;
      old += state.old;
      unreadable.push(...state.unreadable.map((name) => `${slug}: "${name}"`));
    }
  }
  if (stored === 0) return ok('secrets', 'none stored');
  if (keys.length === 0) {
    const advice = 'Restore the key that they were encrypted with, or enter them again.';
    return warn('secrets', `${stored} stored, not checked because there is no key`, advice);
  }
  if (unreadable.length > 0) {
    const more = unreadable.length > maxShown ? `; and ${unreadable.length - maxShown} more` : '';
    return fail(
      'secrets',
      `${unreadable.length} of ${stored} cannot be opened: ${unreadable.slice(0, maxShown).join('; ')}${more}`,
      'Add the key that they were encrypted with to GATEHOUSE_SECRET_KEY or the key file, or enter them again. Replace a ' +
        'signing key with ./gatehouse site signing-keys rotate --revoke-old.',
    );
  }
  if (old === 0) return ok('secrets', `${stored} stored, encrypted with the current key`);
  const advice =
    'Keep the older key until no secret needs it: the service encrypts them again within minutes.';
  return warn('secrets', `${old} of ${stored} still need the older key`, advice);
}
