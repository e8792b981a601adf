import { CommandFailure } from '../../../app/failure.ts';
import { findSecretKeys, keyFileFor } from '../../../app/settings/secret-keys.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { SecretBox } from '../../../base/encryption/secret-box.ts';
import { everySealedText } from '../../../runtime/sealed-texts.ts';
import { listSiteSlugs } from '../../../storage/copy/table-rows.ts';
import type { Queries } from '../../../storage/database.ts';
import { listed } from '../../shared/output.ts';
import { shellQuoted } from '../database-url.ts';

/** The keys that a service on the target will have, and where they are. */
export interface TargetKeys {
  readonly keys: readonly string[];
  readonly place: string;
  /** What to do if they are the wrong ones. */
  readonly advice: string;
}

/**
 * The keys with which a service opens the secrets in the target. Secrets are copied as they are, so these keys have to
 * open them. A key is never copied, and never printed.
 * @throws {CommandFailure} when the target is PostgreSQL, and has no key
 */
export function requireKeys(settings: Settings, targetUrl: string): TargetKeys {
  const file = keyFileFor({ ...settings, databaseUrl: targetUrl });
  const sourceFile = keyFileFor({ ...settings, secretKeys: [] });
  if (file !== undefined) {
    const keys = findSecretKeys({ ...settings, databaseUrl: targetUrl });
    const advice =
      sourceFile === undefined
        ? 'Set GATEHOUSE_SECRET_KEY to the key of this database, for this command and for the service.'
        : `Run: cp -p ${shellQuoted(sourceFile)} ${shellQuoted(file)}`;
    return { keys, place: file, advice };
  }
  const place = 'GATEHOUSE_SECRET_KEY';
  const advice =
    sourceFile === undefined
      ? 'Set it to the key of this database.'
      : 'For this command and for the service, name the file that this database has its key in: export ' +
        `GATEHOUSE_SECRET_KEY_FILE=${shellQuoted(sourceFile)}`;
  if (settings.secretKeys.length > 0) return { keys: settings.secretKeys, place, advice };
  throw new CommandFailure(
    'secret_key_missing',
    `A service on PostgreSQL has its key in GATEHOUSE_SECRET_KEY, which is missing. ${advice}`,
  );
}

/** @throws {CommandFailure} when a secret cannot be opened with the keys of the target */
export async function requireReadableSecrets(
  db: Queries,
  { keys, place, advice }: TargetKeys,
): Promise<void> {
  const secrets = new SecretBox(keys);
  const unreadable: string[] = [];
  for (const { id, slug } of await listSiteSlugs(db)) {
    for (const texts of everySealedText) {
      const state = await texts.inspect({ db, siteId: id }, secrets);
      unreadable.push(...state.unreadable.map((name) => `${slug}: ${name}`));
    }
  }
  if (unreadable.length === 0) return;
  const problem =
    keys.length === 0
      ? `The secrets need their key in ${place}, which does not exist`
      : `The key in ${place} does not open ${unreadable.length} of the secrets (${listed(unreadable)})`;
  throw new CommandFailure(
    'secret_key_wrong',
    `${problem}. Nothing was copied. If a secret cannot be opened here either (see ./gatehouse doctor), enter it again ` +
      `first. ${advice}`,
  );
}
