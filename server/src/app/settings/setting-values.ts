import { isIP } from 'node:net';
import { compile } from '@fastify/proxy-addr';
import { normalizeNetwork } from '../../base/networks/networks.ts';

/** How the text of a setting is read, and what the error for any other text says. */
export interface SettingValue<T> {
  readonly expected: string;
  /** Returns undefined for an invalid value. */
  parse(text: string): T | undefined;
}

/** A whole number in a range, of a unit such as `seconds`. */
export function wholeNumber(min: number, max: number, unit: string): SettingValue<number> {
  return { expected: `a whole number of ${unit} from ${min} to ${max}`, parse: numberParser(min, max) };
}

/** A whole number of what is counted, without a limit for 0. */
export function limit(counted: string, max = 1_000_000_000): SettingValue<number> {
  return { expected: `a whole number: ${counted}, 0 for no limit`, parse: numberParser(0, max) };
}

export const port: SettingValue<number> = {
  expected: 'a port from 0 to 65535',
  parse: numberParser(0, 65_535),
};

export const host: SettingValue<string> = {
  expected: 'an IP address or host to listen on',
  parse: (text) => text.trim() || undefined,
};

export const folder: SettingValue<string> = { expected: 'the path of a folder', parse: (text) => text };

/** One of some words. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  expected: string,
): SettingValue<Word> {
  return { expected, parse: (text) => words.find((word) => word === text) };
}

export function numberParser(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const number = /^\d{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  };
}

export function httpUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
    return undefined;
  return url.href.replace(/\/+$/, '');
}

/** Only an origin. A path in front of an upstream would change the one that the gate decides on. */
export function origin(text: string): string | undefined {
  const url = httpUrl(text);
  return url !== undefined && url === new URL(url).origin ? url : undefined;
}

export function networks(text: string): readonly string[] | undefined {
  const list = listOf(text);
  return list.every(isNetwork) ? list : undefined;
}

export function allowedNetworks(text: string): readonly string[] | undefined {
  const list = listOf(text).map(normalizeNetwork);
  return list.every((network) => network !== undefined) ? list : undefined;
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '1', ...rest] = text.split('/');
  // An address with a zone (RFC 4007, section 11) is useless across machines: `fe80::1%eth0`.
  if (isIP(address) === 0 || address.includes('%') || !/^\d+$/.test(bits) || rest.length > 0) return false;
  try {
    compile(text);
    return true;
  } catch {
    return false;
  }
}
