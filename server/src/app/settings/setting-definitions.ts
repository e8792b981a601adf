import { builtInServerSettings } from './definitions/built-in-server.ts';
import { databaseSettings } from './definitions/database.ts';
import { emailSettings } from './definitions/email.ts';
import { loginSettings } from './definitions/login.ts';
import { monitoringSettings } from './definitions/monitoring.ts';
import { networkSettings } from './definitions/network.ts';
import { processSettings } from './definitions/processes.ts';
import { requestSettings } from './definitions/requests.ts';
import type { Definition } from './setting-definition.ts';

/** The headings of the documentation, with the settings under each. */
export const settingGroups = {
  Database: databaseSettings,
  'Hosts and proxies': networkSettings,
  'The built-in server': builtInServerSettings,
  Email: emailSettings,
  Login: loginSettings,
  Requests: requestSettings,
  'Processes and stored data': processSettings,
  'Log, metrics and traces': monitoringSettings,
};

const all = {
  ...databaseSettings,
  ...networkSettings,
  ...builtInServerSettings,
  ...emailSettings,
  ...loginSettings,
  ...requestSettings,
  ...processSettings,
  ...monitoringSettings,
};

/** The name of the environment variable of a setting. */
export type SettingName = keyof typeof all;

/** By the name of the environment variable. */
export const definitions: Readonly<Record<SettingName, Definition>> = all;

export const settingNames = Object.keys(definitions) as SettingName[];

/** The value of each setting, by its key in gatehouse.json. */
export type SettingValues = {
  readonly [Name in SettingName as KeyInFile<Name>]: ValueOf<(typeof all)[Name]>;
};

type ValueOf<Setting extends Definition> =
  | Setting['default']
  | Exclude<ReturnType<Setting['parse']>, undefined>;

/** The type of `keyInFile`. */
export type KeyInFile<Name extends string> = Name extends `GATEHOUSE_${infer Rest}` ? CamelCase<Rest> : never;

type CamelCase<Text extends string> = Text extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Text>;

/** `GATEHOUSE_RATE_LIMIT` → `rateLimit`. */
export function keyInFile(name: SettingName): keyof SettingValues {
  const key = name
    .slice('GATEHOUSE_'.length)
    .toLowerCase()
    .replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return key as keyof SettingValues;
}

/** The settings that can also be in a file of their own. */
export const secretNames: readonly SettingName[] = settingNames.filter((name) => definitions[name].isSecret);

/** The name of the environment variable with the path of such a file. */
export const secretFileName = (name: SettingName): string => `${name}_FILE`;

/** The same in gatehouse.json. */
export const secretFileKey = (name: SettingName): string => `${keyInFile(name)}File`;
