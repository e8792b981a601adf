import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { TokenOptions } from './token-options.ts';

/** What a token says. */
export type Claims = Readonly<Record<string, unknown>>;

/** Accepted differences between clocks. The tokens are signed for 55 s, so that none is valid for more than a minute. */
const clockToleranceSeconds = 5;
const maxTokenSeconds = 55;
/** The maximum length of a token that Gatehouse signs. */
export const maxTokenLength = 3_500;

const keySetOptions = { cacheMaxAge: 60_000, cooldownDuration: 5_000, timeoutDuration: 2_000 };

/** A signature of 64 bytes, in the only form that Base64 has for it: the last character has bits that no byte uses. */
const signedForm = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/;

/**
 * Verifies the tokens of one site for one purpose: JSON Web Tokens (RFC 7519) signed with EdDSA and a published key of
 * the site.
 */
export class TokenVerifier {
  readonly #purpose: 'edge' | 'identity';
  readonly #siteId: string;
  readonly #host: string;
  readonly #keyOf: JWTVerifyGetKey;

  /** @throws TypeError if a URL is not valid */
  constructor(purpose: 'edge' | 'identity', { siteId, origin, keysUrl }: TokenOptions) {
    const { host, href } = new URL('/_gatehouse/jwks.json', origin);
    const keySet = createRemoteJWKSet(new URL(keysUrl ?? href), keySetOptions);
    this.#purpose = purpose;
    this.#siteId = siteId;
    this.#host = host;
    this.#keyOf = (header, token) => {
      requireHeader(header, this.#type);
      return keySet(header, token);
    };
  }

  /** The host of the site, which the tokens are for. */
  get host(): string {
    return this.#host;
  }

  /** The claims; undefined if the token is not valid now, or the keys cannot be loaded. */
  async verify(token: string): Promise<Claims | undefined> {
    if (token.length > maxTokenLength || !signedForm.test(token)) return undefined;
    try {
      const { payload } = await jwtVerify(token, this.#keyOf, {
        algorithms: ['EdDSA'],
        typ: this.#type,
        issuer: this.#siteId,
        audience: this.#host,
        clockTolerance: clockToleranceSeconds,
        maxTokenAge: maxTokenSeconds,
        requiredClaims: ['iss', 'aud', 'iat', 'exp', 'purpose'],
      });
      const { aud, iat, exp, purpose } = payload;
      const isOurs = aud === this.#host && purpose === this.#purpose && exp! - iat! <= maxTokenSeconds;
      return isOurs ? payload : undefined;
    } catch {
      return undefined;
    }
  }

  get #type(): string {
    return `gatehouse-${this.#purpose}+jwt`;
  }
}

/** Exactly what Gatehouse writes: nothing that names another key, another algorithm or another form. */
function requireHeader(header: Readonly<Record<string, unknown>>, type: string): void {
  const { alg, typ, kid, ...more } = header;
  if (alg !== 'EdDSA' || typ !== type || typeof kid !== 'string' || Object.keys(more).length > 0)
    throw new Error('This is not a token of Gatehouse.');
}
