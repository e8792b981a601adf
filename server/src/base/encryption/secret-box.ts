import { hash, randomBytes } from 'node:crypto';
import { decrypt, encrypt, overheadBytes } from './aes-gcm.ts';

const version = '1';
const keyBytes = 32;

/** A sealed text that none of the keys can open. The message says what to do. */
export class SecretUnreadable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SecretUnreadable';
  }
}

/** A secret cannot be sealed, because no key is set. */
export class SecretKeyMissing extends Error {
  constructor() {
    super(
      'No secret can be stored, because GATEHOUSE_SECRET_KEY is missing. Make a key with ./gatehouse secret-key, and ' +
        'set it.',
    );
    this.name = 'SecretKeyMissing';
  }
}

/**
 * Encrypts the secrets that Gatehouse has to use later, such as the token of a workspace. The first key seals, every key
 * opens.
 */
export class SecretBox {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #currentId: string | undefined;

  /** @param keys as `parseSecretKey` returns them */
  constructor(keys: readonly string[]) {
    this.#keys = new Map(keys.map((key) => [idOf(key), Buffer.from(key, 'base64url')]));
    this.#currentId = this.#keys.keys().next().value;
  }

  /** The beginnings of texts that were sealed with another key than the first. */
  get olderPrefixes(): readonly string[] {
    return [...this.#keys.keys()].slice(1).map(prefixOf);
  }

  /**
   * Seals a text for one place, such as `<siteId>/<sourceId>`: copied to another place, it cannot be opened.
   * @throws {SecretKeyMissing}
   */
  seal(text: string, place: string): string {
    const id = this.#currentId;
    if (id === undefined) throw new SecretKeyMissing();
    const prefix = prefixOf(id);
    return prefix + encrypt(this.#keys.get(id)!, text, prefix + place).toString('base64url');
  }

  /** @throws {SecretUnreadable} */
  open(sealed: string, place: string): string {
    const [, id, content] = sealedForm.exec(sealed) ?? [];
    const bytes = Buffer.from(content ?? '', 'base64url');
    // The last character has bits that no byte uses.
    if (id === undefined || bytes.toString('base64url') !== content) throw changed();
    const key = this.#keys.get(id);
    if (!key) throw keyMissing(id);
    try {
      return decrypt(key, bytes, prefixOf(id) + place);
    } catch {
      throw changed();
    }
  }

  /** As `open`; undefined for a text that cannot be opened. */
  openIfPossible(sealed: string, place: string): string | undefined {
    try {
      return this.open(sealed, place);
    } catch (error) {
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    }
  }

  /** Whether a text was sealed with the first key. */
  isCurrent(sealed: string): boolean {
    return this.#currentId !== undefined && sealed.startsWith(prefixOf(this.#currentId));
  }
}

/** A new random key of 256 bits. */
export function newSecretKey(): string {
  return randomBytes(keyBytes).toString('base64url');
}

/** Reads a key of 256 bits in Base64 (RFC 4648, sections 4 and 5). Returns undefined for any other text. */
export function parseSecretKey(text: string): string | undefined {
  return /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, 'base64').toString('base64url') : undefined;
}

/** Reads one key, or two separated by a comma: the first seals, both open. Returns undefined for any other text. */
export function parseSecretKeys(text: string): readonly string[] | undefined {
  const keys = text.split(',').map((key) => parseSecretKey(key.trim()));
  return keys.length <= 2 && keys.every((key) => key !== undefined) ? keys : undefined;
}

const sealedForm = new RegExp(
  `^${version}\\.([0-9a-f]{12})\\.([\\w-]{${Math.ceil((overheadBytes * 4) / 3)},})$`,
);

/** Names a key without revealing it: 48 bits of the hash of 256 random bits. */
function idOf(key: string): string {
  return hash('sha256', `gatehouse secret key ${key}`, 'hex').slice(0, 12);
}

function prefixOf(id: string): string {
  return `${version}.${id}.`;
}

function changed(): SecretUnreadable {
  return new SecretUnreadable(
    'This secret was changed in the database, or copied from another place. Enter it again.',
  );
}

function keyMissing(id: string): SecretUnreadable {
  return new SecretUnreadable(
    `This secret was encrypted with the key ${id}, which is missing. Add the key to GATEHOUSE_SECRET_KEY or restore the ` +
      'key file, or enter the secret again.',
  );
}
