import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** What an encrypted text takes in addition to the text, in bytes. */
export const overheadBytes = nonceBytes + tagBytes;

/**
 * Encrypts and authenticates a text. AES-256 in Galois/Counter Mode (NIST SP 800-38D) with a tag of 128 bits (section
 * 5.2.1.2) and a random nonce of 96 bits for each text (section 8.2.2), which section 8.3 allows for 2^32 texts of a key.
 * @param context is authenticated with the text, and needed to decrypt it
 */
export function encrypt(key: Uint8Array, text: string, context = ''): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** @throws when the text was encrypted with another key or context, or has been changed */
export function decrypt(key: Uint8Array, bytes: Buffer, context = ''): string {
  const nonce = bytes.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  const opened = [decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()];
  return Buffer.concat(opened).toString('utf8');
}
