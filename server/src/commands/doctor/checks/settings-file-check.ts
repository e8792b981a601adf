import { findExposedSettings, findSettingsFile } from '../../../app/settings/given-settings.ts';
import { shellQuoted } from '../../database/database-url.ts';
import { type Check, ok, warn } from './check.ts';

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
