import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { SettingError } from './setting-error.ts';

const maxKibibytes = 64;

/** A secret, and the path of the file that contains it. */
export interface SecretFile {
  readonly file: string;
  readonly text: string;
}

/**
 * Reads a secret from a file of its own, as Docker, Kubernetes and systemd make them. A byte order mark and a line break at
 * the end do not count.
 * @param setting as it is shown, such as `GATEHOUSE_SMTP_URL_FILE`
 * @param value the path of the file
 * @throws {SettingError} which shows nothing of what is in the file
 */
export function readSecretFile(setting: string, value: string): SecretFile {
  const file = path.resolve(value);
  // Someone may have set the secret itself.
  const isPath = /[/\\]/.test(value) && !value.includes('://');
  const refuse = (what: string, advice: string) =>
    new SettingError(
      isPath ? `${setting} is ${file}, which ${what}` : `${setting} names a file that ${what}`,
      advice,
    );
  const text = decode(readContent(file, refuse))?.replace(/\r?\n$/, '');
  if (text === undefined) throw refuse('is no text in UTF-8', 'Save it as UTF-8');
  if (text === '') throw refuse('is empty', 'Write the value into it');
  if (/[\r\n]/.test(text)) throw refuse('has several lines', 'Write only the value into it');
  return { file, text };
}

type Refuse = (what: string, advice: string) => SettingError;

function readContent(file: string, refuse: Refuse): Buffer {
  try {
    const state = statSync(file);
    // A pipe can be read only once, and a start of the service reads it twice.
    if (!state.isFile()) throw refuse('is not a file', 'Use the path of a file that contains the value');
    if (state.size > maxKibibytes * 1_024)
      throw refuse(`has more than ${maxKibibytes} KiB`, 'Use a file that contains only the value');
    return readFileSync(file);
  } catch (error) {
    if (error instanceof SettingError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw refuse('does not exist', 'Correct the path');
    if (code === 'EACCES' || code === 'EPERM')
      throw refuse('cannot be read', 'Let the user of Gatehouse read it');
    throw refuse(`cannot be read (${code})`, 'Use the path of a file that contains the value');
  }
}

function decode(content: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}
