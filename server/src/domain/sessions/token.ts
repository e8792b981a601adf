import { hash, randomBytes } from 'node:crypto';

const tokenBytes = 32;
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/** Generates a secret of 256 bits in base64url (RFC 4648, section 5). Only its hash is stored. */
export function generateToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

/** Whether a text has the form of a token; a truncated or extended token does not. */
export function isToken(text: string | undefined | null): text is string {
  return typeof text === 'string' && tokenForm.test(text);
}

/** SHA-256, in hexadecimal. A token has enough entropy that its hash cannot be reversed. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
