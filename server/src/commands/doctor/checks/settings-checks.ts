import { findExposedSettings, findSettingsFile } from '../../../app/settings/given-settings.ts';
import { findPlainConnections } from '../../../app/settings/plain-connections.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { findDashboardHostProblems } from '../../../domain/sites/dashboard-host.ts';
import type { Queries } from '../../../storage/database.ts';
import { shellQuoted } from '../../database/database-url.ts';
import { type Check, ok, warn } from './check.ts';

/** Whether no host of a site belongs to the dashboard as well. */
export async function checkDashboardHost(db: Queries, publicUrl: string): Promise<Check[]> {
  const problems = await findDashboardHostProblems(db, publicUrl);
  return problems.map(({ site, problem, advice }) => ({ ...warn('dashboard', problem, advice), site }));
}

/** Whether what leaves this machine is encrypted. */
export function checkEncryption(settings: Settings): Check {
  const plain = findPlainConnections(settings);
  if (plain.length === 0) return ok('encryption', 'connections to other machines are encrypted');
  return warn(
    'encryption',
    `not encrypted: ${plain.map(({ setting, host, content }) => `${setting} to ${host} (${content})`).join('; ')}`,
    'Use TLS: sslmode=require for PostgreSQL, smtps:// or STARTTLS for email, rediss:// and https:// for others. On a network ' +
      'that nobody else can read, nothing has to be done.',
  );
}

/** Whether someone else can read the secrets in gatehouse.json. */
export function checkSettingsFile(): Check[] {
  const file = findSettingsFile();
  if (file === undefined) return [];
  if (findExposedSettings() === undefined) return [ok('settings file', `${file} shows others no secret`)];
  return [
    warn(
      'settings file',
      `${file} contains a secret, and other users of this machine can read it`,
      `Run: chmod 600 ${shellQuoted(file)}`,
    ),
  ];
}
