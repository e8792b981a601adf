import { extname } from 'node:path';
import { buffer as bytesOf } from 'node:stream/consumers';
import { WrongUsage } from '../../../app/failure.ts';
import { findSimilarName } from '../../../app/settings/similar-name.ts';
import { timestampAfter } from '../../../base/clock.ts';
import { parseJsonBody } from '../../../http/shared/json/json-body.ts';
import { readInput } from '../../installed/named-files.ts';
import { isDay, parseDuration, parseTimeOrDay } from '../../shared/duration.ts';
import { boundOf } from '../../shared/expiry.ts';
import { alternatives } from '../../shared/output.ts';
import type { GivenValue } from './flag-options.ts';
import type { Flag } from './flags.ts';

/** Returns the time zone in which days are read. */
export type FindTimeZone = () => Promise<string>;

/** The value of a flag for the API. @throws {WrongUsage} names the flag */
export async function readFlag(flag: Flag, given: GivenValue, findTimeZone: FindTimeZone): Promise<unknown> {
  if (given === false) return flag.kind === 'boolean' ? false : null;
  if (given === true) return true;
  const texts = typeof given === 'string' ? [given] : given;
  const values = await Promise.all(
    texts
      .flatMap((text) => (flag.isList ? itemsOf(text) : [text]))
      .map((text) => read(flag, text, findTimeZone)),
  );
  return flag.isList ? values : values.at(-1);
}

/** Several values of a list in one text. A name may contain a comma, which `\,` stands for. */
function itemsOf(text: string): string[] {
  return text.split(/(?<!\\),/).map((item) => item.replaceAll('\\,', ',').trim());
}

async function read(flag: Flag, text: string, findTimeZone: FindTimeZone): Promise<unknown> {
  switch (flag.kind) {
    case 'number':
      return readNumber(flag, text);
    case 'boolean':
      return readBoolean(flag, text);
    case 'time':
      return readTime(flag, text, findTimeZone);
    case 'image':
      return text.startsWith('data:') ? text : readImage(flag, text);
    case 'json':
      return parseJson(await readContent(flag, text), `--${flag.name}`);
    default:
      // Never a file: a script may pass on what others have entered, such as a name that begins with @.
      return readChoice(flag, text);
  }
}

function readNumber({ name }: Flag, text: string): number {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw new WrongUsage(`--${name} is "${text}". Use a whole number.`);
}

function readBoolean({ name }: Flag, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new WrongUsage(`--${name} is "${text}". Use true or false, or --${name} alone for true.`);
}

function readChoice({ name, choices }: Flag, text: string): string {
  if (choices === undefined || choices.includes(text)) return text;
  const similar = findSimilarName(text, choices);
  const advice = similar === undefined ? `Use ${alternatives(choices)}.` : `Did you mean ${similar}?`;
  throw new WrongUsage(`--${name} is "${text}". ${advice}`);
}

/** JSON, also in a file for `@file`, and on the standard input for `@-`. */
function readContent({ name }: Flag, text: string): Promise<string> | string {
  return text.startsWith('@') ? readText(text.slice(1), `--${name}`) : text;
}

/** The text of a file; of the standard input for `-`. @throws {WrongUsage} */
export async function readText(file: string, flag: string): Promise<string> {
  const bytes = await (file === '-' ? bytesOf(process.stdin) : readInput(file)).catch((error) => {
    throw new WrongUsage(
      error.code === 'ENOENT'
        ? `There is no file ${file}. Correct ${flag}.`
        : `${flag}: ${error.message}. Choose another file.`,
    );
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new WrongUsage(`${flag}: ${file} is not a text in UTF-8. Save it in UTF-8.`);
  }
}

/** With the checks that the API makes of a body. @throws {WrongUsage} */
export function parseJson(text: string, where: string): unknown {
  try {
    JSON.parse(text);
  } catch (error) {
    const problem = (error as Error).message.replaceAll(/\s+/g, ' ');
    throw new WrongUsage(`${where} is not JSON: ${problem}.`);
  }
  try {
    return parseJsonBody(Buffer.from(text));
  } catch (error) {
    throw new WrongUsage(`${where}: ${(error as Error).message}`);
  }
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};

async function readImage({ name }: Flag, file: string): Promise<string> {
  const mediaType = mediaTypes[extname(file).toLowerCase()];
  if (mediaType === undefined)
    throw new WrongUsage(`--${name} must be a PNG, JPEG or WebP file, not ${file}.`);
  try {
    return `data:${mediaType};base64,${(await readInput(file)).toString('base64')}`;
  } catch (error) {
    throw new WrongUsage(`--${name}: ${(error as Error).message}`);
  }
}

/** A time, a day in the time zone of the site, or a duration: from now for an expiry, ago for other times. */
async function readTime({ name, property }: Flag, text: string, findTimeZone: FindTimeZone): Promise<string> {
  if (/^\d+[smhdw]?$/.test(text)) return fromNow(name, isExpiry(property), text);
  const time = parseTimeOrDay(text);
  if (time === undefined)
    throw new WrongUsage(
      `--${name} is "${text}". Use a day such as 2027-01-31, a time such as 2027-01-31T09:30:00Z, or a duration such as 90d.`,
    );
  if (!isDay(time)) return time;
  const bound = isExpiry(property) || property === 'until' ? 'end' : 'start';
  return boundOf(time, bound, await findTimeZone(), `--${name}`);
}

/** Also of what a property names first, such as `membershipExpiresAt`. */
export function isExpiry(property: string): boolean {
  return /expiresAt$/i.test(property);
}

function fromNow(name: string, isInFuture: boolean, text: string): string {
  const milliseconds = atFlag(name, () => parseDuration(text));
  if (milliseconds === 0 && isInFuture) throw new WrongUsage(`Use a duration longer than 0 for --${name}.`);
  return timestampAfter(new Date().toISOString(), isInFuture ? milliseconds : -milliseconds);
}

function atFlag<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new WrongUsage(`--${name}: ${(error as Error).message}`);
  }
}
