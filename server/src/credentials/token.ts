import { hash, randomBytes } from 'node:crypto';

const tokenBytes = 32;
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/** A secret of 256 bits that whoever holds it goes by, in base64url (RFC 4648, section 5). Only its hash is stored. */
export function generateToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

/** Whether a text can be a token at all; a part of one, or one with something after it, is none. */
export function isToken(text: string | undefined | null): text is string {
  return typeof text === 'string' && tokenForm.test(text);
}

/** SHA-256, hexadecimal. A token has enough entropy that its hash cannot be turned back. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
