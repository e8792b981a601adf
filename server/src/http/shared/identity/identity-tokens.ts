import type { Site } from '@gatehouse/contract';
import type { Clock } from '../../../base/clock.ts';
import type { Visitor } from '../../../domain/access-rules/visitor.ts';
import { type TokenClaims, TokenSigner } from '../../../domain/signing-keys/token-signer.ts';
import type { Workspaces } from '../../../domain/sources/workspaces/workspaces.ts';
import type { Database } from '../../../storage/database.ts';

/** How long a token is sent again. The decision about the request is never older than the request. */
const reuseMilliseconds = 10_000;
const maxTokens = 5_000;
/**
 * The maximum length of the claims about a member, in bytes of JSON: the token must fit into the headers that proxies
 * accept from the gate. An email address has at most 254 bytes.
 */
const maxMemberBytes = 750;

interface SignedToken {
  readonly token: string;
  /** The key and everything that the token says, except its times. */
  readonly content: string;
  readonly signedAt: number;
}

/** Signs identity tokens: who a member is, as proof for a program behind the proxy. */
export class IdentityTokens {
  readonly #signer: TokenSigner;
  readonly #clock: Clock;
  /** By site, host and member, the oldest first. */
  readonly #tokens = new Map<string, SignedToken>();

  constructor(signer: TokenSigner, clock: Clock) {
    this.#signer = signer;
    this.#clock = clock;
  }

  /** Undefined while the site has no key that can be used, or no domain. @throws {StoreUnavailable} */
  async tokenFor(site: Site, visitor: Visitor): Promise<string | undefined> {
    if (site.domain === null) return undefined;
    const time = this.#clock();
    const now = time.toISOString();
    const key = await this.#signer.currentKey(site.id, now);
    if (!key) return undefined;
    const claims = claimsOf(site.domain, visitor);
    const place = `${site.id} ${site.domain} ${visitor.memberId}`;
    const content = `${key.id} ${JSON.stringify(claims)}`;
    const known = this.#tokens.get(place);
    const age = known ? time.getTime() - known.signedAt : Number.POSITIVE_INFINITY;
    if (known?.content === content && age >= 0 && age < reuseMilliseconds) return known.token;
    const token = await this.#signer.sign(key, site.id, 'identity', claims, now);
    this.#tokens.delete(place);
    if (this.#tokens.size >= maxTokens) this.#tokens.delete(this.#tokens.keys().next().value!);
    this.#tokens.set(place, { token, content, signedAt: time.getTime() });
    return token;
  }
}

interface SigningParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly workspaces: Pick<Workspaces, 'secrets'>;
}

export function createIdentityTokens({ database, clock, workspaces }: SigningParts): IdentityTokens {
  return new IdentityTokens(new TokenSigner(database, workspaces.secrets), clock);
}

/** The groups that no longer fit are left out, which `more_groups` says. A name that does not fit is left out. */
function claimsOf(host: string, { memberId, email, displayName, groupNames }: Visitor): TokenClaims {
  let left = maxMemberBytes - bytesOf(email);
  const name = displayName !== null && bytesOf(displayName) <= left / 2 ? displayName : null;
  left -= bytesOf(name);
  const groups: string[] = [];
  for (const group of groupNames) {
    left -= bytesOf(group) + 1;
    if (left < 0) break;
    groups.push(group);
  }
  const more = groups.length < groupNames.length && { more_groups: true };
  return { aud: host, sub: memberId, email, ...(name !== null && { name }), groups, ...more };
}

function bytesOf(value: string | null): number {
  return value === null ? 0 : Buffer.byteLength(JSON.stringify(value));
}
