import { hash, randomInt, timingSafeEqual } from 'node:crypto';

const digits = 6;

/** Six digits that a person types in the browser that asked. */
export function generateCode(): string {
  return randomInt(10 ** digits)
    .toString()
    .padStart(digits, '0');
}

/** What is stored of a code. It takes the browser's token to try codes against it: six digits alone are soon tried. */
export function hashCode(code: string, browserToken: string): string {
  return hash('sha256', `${browserToken} ${code}`, 'hex');
}

/** The digits of what a person typed, whatever stands between them; undefined for what cannot be a code. */
export function readCode(typed: string): string | undefined {
  if (typed.length > 50) return undefined;
  const read = typed.normalize('NFKC').replaceAll(/[\s.\-\u2013]/g, '');
  return /^\d{6}$/.test(read) ? read : undefined;
}

export function isSameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
