import type { EmailLimits } from '../../domain/emails/email-budget.ts';
import { findGiven, type Given, isEmpty, type SettingOptions, settingsFile } from './given-settings.ts';
import { checkTogether } from './setting-conflicts.ts';
import type { Definition } from './setting-definition.ts';
import {
  definitions,
  type KeyInFile,
  keyInFile,
  type SettingName,
  type SettingValues,
  secretNames,
  settingNames,
} from './setting-definitions.ts';
import { SettingError } from './setting-error.ts';

type CombinedValues = 'secretKey' | 'mailFrom' | `emailLimit${string}`;

/**
 * The settings of an operator. Each is the environment variable of that name, or its camel-case key in
 * gatehouse.json.
 */
export interface Settings extends Omit<SettingValues, CombinedValues> {
  readonly publicUrl: string;
  /** The keys of stored secrets. Empty for those of the key file beside an SQLite database. */
  readonly secretKeys: readonly string[];
  /** The address that sends emails. */
  readonly mailFrom: string | undefined;
  /** The name that sends them; undefined for the title of the site. */
  readonly mailFromName: string | undefined;
  readonly emailLimits: EmailLimits;
  /** The files that secrets were read from, by the key of each secret in gatehouse.json. */
  readonly secretFiles: Readonly<Record<string, string>>;
}

/** The fields of settings that are secrets, or URLs that may contain one. */
export const secretFields: ReadonlySet<string> = new Set(['secretKeys', ...secretNames.map(keyInFile)]);

/**
 * Reads the settings: the options first, then the environment, then gatehouse.json, then the defaults.
 * @throws {SettingError}
 */
export function readSettings(
  environment: NodeJS.ProcessEnv,
  file = settingsFile,
  options: SettingOptions = {},
): Settings {
  const find = findGiven(environment, file, options);
  const all = new Map(settingNames.map((name) => [name, find(name)]));
  const entries = [...all].map(([name, given]) => [keyInFile(name), readValue(name, given)]);
  const values = Object.fromEntries(entries) as SettingValues;
  checkTogether(values, (name) => all.get(name)!.shownName);
  return combineValues(values, secretFilesOf(all));
}

function secretFilesOf(all: ReadonlyMap<SettingName, Given>): Settings['secretFiles'] {
  const files = [...all].filter(([, { secretFile }]) => secretFile !== undefined);
  return Object.fromEntries(files.map(([name, { secretFile }]) => [keyInFile(name), secretFile!]));
}

/**
 * Reads some of the settings, whether or not the others are valid.
 * @throws {SettingError}
 */
export function readSomeSettings<Name extends SettingName>(
  names: readonly Name[],
  environment: NodeJS.ProcessEnv,
  file = settingsFile,
  options: SettingOptions = {},
): Pick<SettingValues, KeyInFile<Name>> {
  const given = findGiven(environment, file, options);
  const entries = names.map((name) => [keyInFile(name), readValue(name, given(name))]);
  return Object.fromEntries(entries);
}

function readValue(name: SettingName, { shownName, raw }: Given): unknown {
  const definition = definitions[name];
  if (isEmpty(raw)) return definition.default;
  const value = definition.parse(String(raw));
  if (value !== undefined) return value;
  const problem = mayBeShown(definition, String(raw)) ? `is ${JSON.stringify(raw)}` : 'has an invalid value';
  throw new SettingError(`${shownName} ${problem}`, `Use ${definition.expected}`);
}

/** A URL with a password may also have been given to the wrong setting. */
function mayBeShown({ isSecret = false, isUrl = false }: Definition, text: string): boolean {
  return !isSecret && !isUrl && !text.includes('://');
}

function combineValues(values: SettingValues, secretFiles: Settings['secretFiles']): Settings {
  const { secretKey, mailFrom, publicUrl, ...others } = values;
  const { emailLimitMailbox, emailLimitSender, emailLimitSignUp, emailLimitSignUpMailbox, ...rest } = others;
  return {
    ...rest,
    publicUrl: publicUrl ?? `http://localhost:${rest.port}`,
    secretKeys: secretKey,
    mailFrom: mailFrom?.address,
    mailFromName: mailFrom?.name,
    emailLimits: {
      mailbox: emailLimitMailbox,
      sender: emailLimitSender,
      signUp: emailLimitSignUp,
      signUpMailbox: emailLimitSignUpMailbox,
    },
    secretFiles,
  };
}
