import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { readSecretFile } from './secret-files.ts';
import { findServiceLinks } from './service-links.ts';
import {
  definitions,
  keyInFile,
  type SettingName,
  secretFileKey,
  secretFileName,
  secretNames,
  settingNames,
} from './setting-definitions.ts';
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
  /** The file of its own that contains it, as an absolute path. */
  readonly secretFile?: string;
}

/**
 * Finds each setting where it was given: the options first, then the environment, then the file. A file of a secret is
 * read only when that secret is looked for.
 * @throws {SettingError} for a name that is not a setting
 */
export function findGiven(
  environment: NodeJS.ProcessEnv,
  file: string,
  options: SettingOptions,
): (name: SettingName) => Given {
  const links = new Set(findServiceLinks(environment));
  const places = [inEnvironment(environment, links), inFile(file)];
  return (name) => {
    const option = options[name];
    if (option !== undefined) return { shownName: option.option, raw: option.value };
    for (const place of places) {
      const given = findAt(place, name);
      if (given) return given;
    }
    return { shownName: name, raw: undefined };
  };
}

/** A place that has settings under their names there. */
interface Place {
  readonly nameOf: (name: SettingName) => string;
  readonly fileNameOf: (name: SettingName) => string;
  readonly shown: (nameThere: string) => string;
  readonly find: (nameThere: string) => unknown;
}

/** @throws {SettingError} for a name that is not a setting */
function inEnvironment(environment: NodeJS.ProcessEnv, links: ReadonlySet<string>): Place {
  rejectUnknown(environment, links);
  return {
    nameOf: (name) => name,
    fileNameOf: secretFileName,
    shown: (name) => name,
    find: (name) => (links.has(name) ? undefined : environment[name]),
  };
}

/** @throws {SettingError} for a name that is not a setting */
function inFile(file: string): Place {
  const written = readFile(file);
  return {
    nameOf: keyInFile,
    fileNameOf: secretFileKey,
    shown: (key) => `${key} in ${file}`,
    find: (key) => (Array.isArray(written[key]) ? written[key].join(',') : written[key]),
  };
}

function findAt({ nameOf, fileNameOf, shown, find }: Place, name: SettingName): Given | undefined {
  const shownName = shown(nameOf(name));
  const raw = find(nameOf(name));
  const file = definitions[name].isSecret ? find(fileNameOf(name)) : undefined;
  if (isEmpty(file)) return raw === undefined ? undefined : { shownName, raw };
  const shownFileName = shown(fileNameOf(name));
  if (!isEmpty(raw))
    throw new SettingError(`${shownName} and ${shownFileName} are both set`, 'Set only one of them');
  const secret = readSecretFile(shownFileName, String(file));
  return {
    shownName: `The file ${secret.file} of ${shownFileName}`,
    raw: secret.text,
    secretFile: secret.file,
  };
}

/** Whether a setting has its default. */
export function isEmpty(raw: unknown): boolean {
  return raw === undefined || raw === null || raw === '';
}

function readFile(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {};
  const content = parseFile(file);
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new SettingError(`${file} is not an object of settings`, 'Use an object such as {"port": 8080}');
  }
  for (const key of Object.keys(content)) {
    if (!knownKeys.has(key)) throw unknownName(`${key} in ${file}`, key, knownKeys, /File$/);
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
    if (isOther || knownNames.has(name)) continue;
    throw unknownName(name, name, knownNames, /_FILE$/);
  }
}

/** @param file the end of the name of a setting that names the file of a secret */
function unknownName(shown: string, name: string, known: ReadonlySet<string>, file: RegExp): SettingError {
  const value = name.replace(file, '');
  if (value !== name && known.has(value)) {
    return new SettingError(
      `${shown} is not a setting, because ${value} is no secret`,
      `Set ${value} to the value itself`,
    );
  }
  const names = [...known];
  const similar = findSimilarName(name, names);
  const advice =
    similar === undefined
      ? `Use one of ${names.filter((each) => !file.test(each)).join(', ')}`
      : `Did you mean ${similar}? If not, remove it`;
  return new SettingError(`${shown} is not a setting`, advice);
}

const knownNames: ReadonlySet<string> = new Set([...settingNames, ...secretNames.map(secretFileName)]);
const knownKeys: ReadonlySet<string> = new Set([
  ...settingNames.map(keyInFile),
  ...secretNames.map(secretFileKey),
]);

/** Read by the client, the command line and the tests. */
const otherNames = /^GATEHOUSE_(URL|KEY|COPY_TO_URL|TEST_.*)$/;
