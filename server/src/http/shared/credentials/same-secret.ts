import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time, so that a secret cannot be guessed step by step. */
export function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a!, b!);
}
