import { nameSecretKey } from '../../../app/settings/secret-keys.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { dialectOf } from '../../../storage/database-url.ts';
import { counted } from '../../shared/output.ts';
import { placeOf } from './target-url.ts';

interface Copied {
  readonly settings: Settings;
  readonly targetUrl: string;
  readonly rows: number;
  readonly tables: number;
}

/** What to do after a copy. */
export function howToSwitch({ settings, targetUrl, rows, tables }: Copied): string {
  const target = placeOf(targetUrl);
  const key = nameSecretKey({ ...settings, databaseUrl: targetUrl });
  const direct =
    settings.databaseDirectUrl === undefined
      ? ''
      : ', and GATEHOUSE_DATABASE_DIRECT_URL to the same database or to nothing';
  return [
    `Copied ${counted(rows, 'row')} of ${counted(tables, 'table')} to ${target}, and compared each.`,
    'This database is closed now, and no service starts with it. To switch:',
    `  1. Set GATEHOUSE_DATABASE_URL to the URL of ${target}${direct}.`,
    ...(key === undefined ? [] : [`  2. Keep ${whereKeyIs(key, targetUrl)}.`]),
    `  ${key === undefined ? 2 : 3}. Run ./gatehouse doctor with these settings, then start the service.`,
  ].join('\n');
}

function whereKeyIs(key: string, targetUrl: string): string {
  return dialectOf(targetUrl) === 'postgres' || key === 'GATEHOUSE_SECRET_KEY'
    ? 'the key of the secrets as it was for this command, in GATEHOUSE_SECRET_KEY or GATEHOUSE_SECRET_KEY_FILE'
    : `${key}, the key of the secrets`;
}
