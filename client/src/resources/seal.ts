import type { VerifiedSession } from '../types.ts';

/** Long enough for the slowest page. */
const lifetimeMilliseconds = 5 * 60_000;

/**
 * Serializes a visitor with a signature that only the owner of the API key can create. The result is a valid header
 * value.
 */
export async function seal(key: string, visitor: VerifiedSession): Promise<string> {
  const text = toBase64(encode(JSON.stringify({ until: Date.now() + lifetimeMilliseconds, visitor })));
  const signature = await crypto.subtle.sign('HMAC', await toSigningKey(key), encode(text));
  return `${text}.${toBase64(new Uint8Array(signature))}`;
}

/** The visitor; undefined if the signature was not created with this key or has expired. */
export async function unseal(key: string, sealed: string): Promise<VerifiedSession | undefined> {
  const [text = '', signature = '', ...more] = sealed.split('.');
  const bytes = fromBase64(signature);
  if (!bytes || more.length > 0) return undefined;
  if (!(await crypto.subtle.verify('HMAC', await toSigningKey(key), bytes, encode(text)))) return undefined;
  const { until, visitor } = JSON.parse(new TextDecoder().decode(fromBase64(text)));
  return Date.now() < until ? visitor : undefined;
}

/** Derived from the API key, so that the signature is valid for no other purpose. */
function toSigningKey(key: string): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', encode(`gatehouse visitor\n${key}`), algorithm, false, [
    'sign',
    'verify',
  ]);
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
