import type { ConnectedProvider, EmailTrust } from '../../domain/login-providers/login-provider.ts';
import type { ProviderAccount } from '../../domain/login-providers/provider-account.ts';
import { textOf } from './oidc.ts';
import type { ClaimedEmail, Claims } from './provider-profile.ts';

/** The account that verified claims describe. */
export function accountOf(
  provider: ConnectedProvider,
  subject: string,
  claimed: ClaimedEmail,
  claims: Claims,
): ProviderAccount {
  const { issuer, emailTrust, groupsClaim } = provider;
  return {
    issuer,
    subject,
    email: claimed.email,
    emailVerified: claimed.email !== null && isTrusted(emailTrust, claimed.isVerified),
    label: claimed.email ?? textOf(claims.preferred_username) ?? textOf(claims.name) ?? subject,
    groups: groupsClaim === null ? null : groupsOf(claims, groupsClaim),
  };
}

function isTrusted(trust: EmailTrust, isVerified: boolean): boolean {
  return trust === 'always' || (trust === 'claim' && isVerified);
}

/**
 * Null if the claim is missing, not a list of texts, or too long for the token: `_claim_names` then names it (OpenID
 * Connect Core 1.0, section 5.6.2).
 */
export function groupsOf(claims: Claims, groupsClaim: string): readonly string[] | null {
  const elsewhere = claims._claim_names;
  if (typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, groupsClaim)) {
    return null;
  }
  const value = Object.hasOwn(claims, groupsClaim) ? claims[groupsClaim] : undefined;
  const groups = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(groups) || groups.some((group) => typeof group !== 'string')) return null;
  return [...new Set<string>(groups)];
}
