import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { findServiceLinks } from './service-links.ts';
import { definitions, keyInFile, type SettingName, settingNames } from './setting-definitions.ts';
import { SettingError } from './setting-error.ts';
import { findSimilarName } from './similar-name.ts';

/** Settings that options of the command line replace. */
export type SettingOptions = { readonly [Each in SettingName]?: SettingOption };

export interface SettingOption {
  /** As it was entered, such as `--port`. */
  readonly option: string;
  readonly value: string;
}

/** The options that were given, from the value of each. */
export function givenOptions(
  values: {
    readonly [Each in SettingName]?: readonly [option: string, value: string | undefined];
  },
): SettingOptions {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, [option, value]]) =>
      value === undefined ? [] : [[name, { option, value }]],
    ),
  );
}

/** Where settings are read from, in the current folder. */
export const settingsFile = 'gatehouse.json';

/** The file that settings are read from, if it exists in the current folder. */
export function findSettingsFile(): string | undefined {
  return existsSync(settingsFile) ? path.resolve(settingsFile) : undefined;
}

/**
 * The file that settings are read from, if it contains a secret and other users of this machine can read it. A file that
 * is not valid JSON has been reported before.
 */
export function findExposedSettings(): string | undefined {
  const file = findSettingsFile();
  if (file === undefined || (statSync(file).mode & 0o077) === 0) return undefined;
  const isSecret = (key: string, value: unknown) =>
    settingNames.some((name) => keyInFile(name) === key && mayBeSecret(name, value));
  return Object.entries(readFile(file)).some(([key, value]) => isSecret(key, value)) ? file : undefined;
}

/** Whether a value contains a password, a key or a token. Of a URL, only its password is one. */
function mayBeSecret(name: SettingName, value: unknown): boolean {
  if (!definitions[name].isSecret || value === null || value === '') return false;
  const text = String(value);
  return !text.includes('://') ? !text.startsWith('sqlite:') : /:\/\/[^/?#]*:[^/?#]*@/.test(text);
}

/** A value as it was entered, and the name under which it was. */
export interface Given {
  readonly shownName: string;
  readonly raw: unknown;
}

/**
 * Finds each setting where it was given: the options first, then the environment, then the file.
 * @throws {SettingError} for a name that is not a setting
 */
export function findGiven(
  environment: NodeJS.ProcessEnv,
  file: string,
  options: SettingOptions,
): (name: SettingName) => Given {
  const written = readFile(file);
  const links = new Set(findServiceLinks(environment));
  rejectUnknown(environment, links);
  return (name) => {
    const option = options[name];
    if (option !== undefined) return { shownName: option.option, raw: option.value };
    if (environment[name] !== undefined && !links.has(name))
      return { shownName: name, raw: environment[name] };
    const key = keyInFile(name);
    const raw = written[key];
    if (raw === undefined) return { shownName: name, raw };
    return { shownName: `${key} in ${file}`, raw: Array.isArray(raw) ? raw.join(',') : raw };
  };
}

function readFile(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {};
  const content = parseFile(file);
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new SettingError(`${file} is not an object of settings`, 'Use an object such as {"port": 8080}');
  }
  const known = settingNames.map(keyInFile);
  for (const key of Object.keys(content)) {
    if (!known.some((each) => each === key)) throw unknownName(`${key} in ${file}`, key, known);
  }
  return content as Record<string, unknown>;
}

/** The message of the parser is not shown, because it quotes the file, which may contain passwords. */
function parseFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const [place = ''] = / \(line \d+ column \d+\)$/.exec(error.message) ?? [];
    throw new SettingError(
      `${file} is not valid JSON${place}`,
      'Check its quotation marks, commas and braces',
    );
  }
}

/** A misspelt name must not silently leave a setting at its default. Names of other programs are ignored. */
function rejectUnknown(environment: NodeJS.ProcessEnv, links: ReadonlySet<string>): void {
  for (const name of Object.keys(environment)) {
    const isOther = !name.startsWith('GATEHOUSE_') || otherNames.test(name) || links.has(name);
    if (isOther || name in definitions) continue;
    throw unknownName(name, name, settingNames);
  }
}

function unknownName(shown: string, name: string, known: readonly string[]): SettingError {
  const similar = findSimilarName(name, known);
  const advice =
    similar === undefined ? `Use one of ${known.join(', ')}` : `Did you mean ${similar}? If not, remove it`;
  return new SettingError(`${shown} is not a setting`, advice);
}

/** Read by the client, the command line and the tests. */
const otherNames = /^GATEHOUSE_(URL|KEY|TEST_.*)$/;
