import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto';
import type {
  AddPasskey,
  LogInWithPasskey,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '@gatehouse/contract/dashboard';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const userPresent = 0x01;
const userVerified = 0x04;
const backupEligible = 0x08;
const backedUp = 0x10;
const credentialAttached = 0x40;

/** A browser with its authenticator (WebAuthn Level 3), simulated: one passkey with a key on P-256. */
export class Authenticator {
  /** The origin of the page in which the browser is. */
  origin: string;
  /** Whether it verifies the user, for example with a fingerprint. */
  verifiesUser = true;
  /** Whether it synchronizes the passkey between devices. */
  isSynced = false;
  /** Whom it reports as the owner of the passkey. */
  userHandle: string | undefined;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(32);
  #counter = 0;

  constructor(origin: string) {
    this.origin = origin;
  }

  /** Creates the passkey. */
  register({ challenge, rp }: PasskeyCreationOptions): AddPasskey['response'] {
    const flags = this.#flags() | credentialAttached;
    const credential = [Buffer.alloc(16), wordOf(this.#id.length), this.#id, this.#publicKey()];
    const authData = Buffer.concat([this.#authenticatorData(rp.id, flags), ...credential]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', challenge).toString('base64url'),
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
    });
  }

  /** Signs a challenge with the passkey. */
  sign({ challenge, rpId }: PasskeyRequestOptions): LogInWithPasskey['response'] {
    this.#counter += 1;
    const data = this.#authenticatorData(rpId, this.#flags());
    const clientData = this.#clientData('webauthn.get', challenge);
    const signed = Buffer.concat([data, hash('sha256', clientData, 'buffer')]);
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
      ...(this.userHandle !== undefined && {
        userHandle: Buffer.from(this.userHandle).toString('base64url'),
      }),
    });
  }

  #answer<Response>(response: Response) {
    const id = this.#id.toString('base64url');
    // Like browsers, it sends more than the service reads.
    const more = { authenticatorAttachment: 'platform', clientExtensionResults: {} };
    return { id, rawId: id, type: 'public-key' as const, response, ...more };
  }

  #flags(): number {
    const synced = this.isSynced ? backupEligible | backedUp : 0;
    return userPresent | (this.verifiesUser ? userVerified : 0) | synced;
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  /** Authenticator data (WebAuthn Level 3, section 6.1). */
  #authenticatorData(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    return Buffer.concat([hash('sha256', rpId, 'buffer'), Buffer.from([flags]), counter]);
  }

  /** The public key in COSE format (RFC 9053, section 7.1.1): type, algorithm, curve, and the two coordinates. */
  #publicKey(): Buffer {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
    ]);
    return Buffer.from(isoCBOR.encode(key as never));
  }
}

function wordOf(value: number): Buffer {
  const word = Buffer.alloc(2);
  word.writeUInt16BE(value);
  return word;
}
