import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Outcome } from './call.ts';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * The key that the answers to a caller's idempotency key are stored under (HKDF, RFC 5869, with SHA-256). It is made from
 * the secret of the API key, which the store does not have, so only that API key can bring it back.
 */
export function answerKey(secret: string, siteId: string, idempotencyKey: string): Buffer {
  const purpose = `gatehouse stored answer ${siteId} ${idempotencyKey}`;
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, keyBytes));
}

/**
 * Tells requests with one idempotency key apart: by what they ask, not by their white space, and by the API key that
 * asks. Without that key nobody can try what a request may have said.
 */
export function fingerprintOf(key: Uint8Array, method: string, target: string, body: unknown): string {
  return createHmac('sha256', key)
    .update(`${method} ${target}\n${JSON.stringify(body)}`)
    .digest('base64url');
}

/** An answer as it is stored: encrypted and authenticated, with a nonce of its own. */
export function sealAnswer(key: Uint8Array, outcome: Outcome): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  const sealed = [nonce, cipher.update(JSON.stringify(outcome), 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString('base64url');
}

/** @throws when it was sealed with another key, or changed since */
export function openAnswer(key: Uint8Array, stored: string): Outcome {
  const bytes = Buffer.from(stored, 'base64url');
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  const opened = [decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()];
  return JSON.parse(Buffer.concat(opened).toString('utf8'));
}
