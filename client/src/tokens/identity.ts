import type { TokenOptions } from './token-options.ts';
import { TokenVerifier } from './token-verifier.ts';

export type { TokenOptions } from './token-options.ts';

/** The member that an identity token proves. */
export interface Identity {
  readonly memberId: string;
  readonly email: string;
  /** Null if the member has no name, or one that is too long for the token. */
  readonly name: string | null;
  /** The names of the access groups. */
  readonly groups: readonly string[];
  /** Whether the member is in more groups than those in the token. */
  readonly hasMoreGroups: boolean;
}

/**
 * Returns a function that verifies identity tokens, which the gate sends to the program behind the proxy in the header
 * of the setting `identityHeaders.signed`. It returns undefined for everything that is not a valid token for this host
 * now. Call it for every request, because a token is valid for less than a minute.
 */
export function identityVerifier(
  options: TokenOptions,
): (header: string | null | undefined) => Promise<Identity | undefined> {
  const verifier = new TokenVerifier('identity', options);
  return async (header) => {
    const claims = header ? await verifier.verify(header) : undefined;
    if (!claims) return undefined;
    const { sub, email, name, groups, more_groups } = claims;
    if (typeof sub !== 'string' || typeof email !== 'string' || !isListOfTexts(groups)) return undefined;
    const text = typeof name === 'string' ? name : null;
    return { memberId: sub, email, name: text, groups, hasMoreGroups: more_groups === true };
  };
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
