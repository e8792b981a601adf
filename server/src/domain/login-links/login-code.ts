import { hash, randomInt, timingSafeEqual } from 'node:crypto';

const digits = 6;

/** Generates six digits to be typed in the browser that requested the link. */
export function generateCode(): string {
  return randomInt(10 ** digits)
    .toString()
    .padStart(digits, '0');
}

/**
 * The stored form of a code. The browser's token is included, because six digits alone could be found by brute force.
 */
export function hashCode(code: string, browserToken: string): string {
  return hash('sha256', `${browserToken} ${code}`, 'hex');
}

/** Extracts the digits of a typed code, ignoring other characters; undefined for a text that cannot be a code. */
export function readCode(typed: string): string | undefined {
  if (typed.length > 50) return undefined;
  const read = typed.normalize('NFKC').replaceAll(/[\s.\-\u2013]/g, '');
  return /^\d{6}$/.test(read) ? read : undefined;
}

export function isSameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
