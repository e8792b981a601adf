import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Outcome } from './call.ts';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Derives the key that encrypts the stored reply of an idempotency key (HKDF, RFC 5869, with SHA-256). It is derived
 * from the secret of the API key, which is not in the store, so only a caller with that API key can decrypt the reply.
 */
export function deriveReplyKey(secret: string, siteId: string, idempotencyKey: string): Buffer {
  // "answer" must stay: another text would make the stored replies unreadable.
  const purpose = `gatehouse stored answer ${siteId} ${idempotencyKey}`;
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, keyBytes));
}

/**
 * Distinguishes requests with the same idempotency key: by their content, ignoring white space in the body, and by the
 * API key. It is keyed, so that the content of a request cannot be guessed from it without that API key.
 */
export function fingerprintOf(key: Uint8Array, method: string, target: string, body: unknown): string {
  return createHmac('sha256', key)
    .update(`${method} ${target}\n${JSON.stringify(body)}`)
    .digest('base64url');
}

/** A reply as it is stored: encrypted and authenticated, with its own nonce. */
export function encryptReply(key: Uint8Array, outcome: Outcome): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  const sealed = [nonce, cipher.update(JSON.stringify(outcome), 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString('base64url');
}

/** @throws when it was encrypted with another key, or has been changed */
export function decryptReply(key: Uint8Array, stored: string): Outcome {
  const bytes = Buffer.from(stored, 'base64url');
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  const opened = [decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()];
  return JSON.parse(Buffer.concat(opened).toString('utf8'));
}
