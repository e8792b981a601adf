import { createHmac, hkdfSync } from 'node:crypto';
import { decrypt, encrypt } from '../base/encryption/aes-gcm.ts';
import type { CallResponse } from './call.ts';

const keyBytes = 32;

/**
 * Derives the key that encrypts the stored response of an idempotency key (HKDF, RFC 5869, with SHA-256). It is derived
 * from the secret of the API key, which is not in the store, so only a caller with that API key can decrypt the response.
 */
export function deriveResponseKey(secret: string, siteId: string, idempotencyKey: string): Buffer {
  const purpose = `gatehouse stored response ${siteId} ${idempotencyKey}`;
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

/** A response as it is stored: encrypted and authenticated. */
export function encryptResponse(key: Uint8Array, response: CallResponse): string {
  return encrypt(key, JSON.stringify(response)).toString('base64url');
}

/** @throws when it was encrypted with another key, or has been changed */
export function decryptResponse(key: Uint8Array, stored: string): CallResponse {
  return JSON.parse(decrypt(key, Buffer.from(stored, 'base64url')));
}
