import { hash as digest, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Permission } from '@gatehouse/contract';
import type { Timestamp } from '../../base/clock.ts';

const prefix = 'gate_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 30;
const checksumLength = 6;
const keyForm = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`);

/** An API key without its secret. */
export interface ApiKey {
  readonly id: string;
  readonly siteId: string;
  readonly name: string;
  /** The last four characters, by which a user can recognize the key. */
  readonly last4: string;
  readonly permissions: readonly Permission[];
  /** Requests per 60 s; null for the server's default, 0 for no limit. */
  readonly rateLimit: number | null;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp | null;
  readonly revokedAt: Timestamp | null;
  readonly replacedBy: string | null;
}

export function isInForce(key: ApiKey, now: Timestamp): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
}

/** Generates a secret: `gate_`, 30 random characters (178 bits) and their CRC-32 in base 62 (six characters). */
export function generateKey(): string {
  const secret = randomCharacters(secretLength);
  return prefix + secret + checksumOf(secret);
}

/** Whether a text has the form of a key. Rejects typing errors and guesses without a query. */
export function isWellFormedKey(text: string): boolean {
  if (!keyForm.test(text)) return false;
  const secret = text.slice(prefix.length, prefix.length + secretLength);
  return text.slice(prefix.length + secretLength) === checksumOf(secret);
}

/** Only the hash is stored. A key has enough entropy that plain SHA-256 cannot be reversed. */
export function hashKey(key: string): string {
  return digest('sha256', key, 'hex');
}

function checksumOf(secret: string): string {
  let value = crc32(secret);
  let text = '';
  for (let index = 0; index < checksumLength; index += 1) {
    text = alphabet[value % 62] + text;
    value = Math.floor(value / 62);
  }
  return text;
}

function randomCharacters(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte; higher values would make some characters more frequent.
      if (byte < 248 && text.length < length) text += alphabet[byte % 62];
    }
  }
  return text;
}
