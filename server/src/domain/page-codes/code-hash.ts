import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { StoreUnavailable } from '../../storage/errors.ts';
import { Semaphore } from '../../storage/semaphore.ts';

/**
 * Scrypt (RFC 7914) with 16 MiB and five passes, one of the choices of the OWASP Password Storage Cheat Sheet: 0.19 s of one
 * core for each attempt. With other parameters no stored code would be found any more.
 */
const options: ScryptOptions = { N: 2 ** 14, r: 8, p: 5, maxmem: 32 * 1024 * 1024 };
const hashBytes = 32;
const saltBytes = 16;
/** At most two at once, so that two of the four threads of libuv's pool are left for files. */
const hashing = new Semaphore(2, 10_000);
/** The last one waits for about two seconds. */
const maxWaiting = 20;

/** A salt for the codes of a site. */
export function newSalt(): string {
  return randomBytes(saltBytes).toString('base64url');
}

/**
 * The stored form of a code. All codes of a site have the same salt, so that an attempt is hashed only once.
 * @param code as `readTypedCode` returns it
 * @throws {StoreUnavailable} while too many codes wait to be hashed
 */
export async function hashCode(code: string, salt: string): Promise<string> {
  if (hashing.waiting >= maxWaiting)
    throw new StoreUnavailable(new Error('Too many page codes are checked.'));
  return hashing.use(
    () =>
      new Promise((resolve, reject) => {
        scrypt(code, salt, hashBytes, options, (error, hash) =>
          error ? reject(error) : resolve(hash.toString('hex')),
        );
      }),
  );
}
