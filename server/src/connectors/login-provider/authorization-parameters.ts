import type { ServerMetadata } from 'openid-client';
import type { ConnectedProvider } from '../../domain/login-providers/login-provider.ts';
import type { LoginBeginning } from '../../domain/login-providers/provider-account.ts';
import { gitHubScope } from './github.ts';
import { profileOf } from './profiles.ts';

/** The parameters of the page to which the browser is led. */
export function authorizationParameters(
  { type, groupsClaim }: ConnectedProvider,
  metadata: ServerMetadata,
  { redirectUri, state, nonce, codeChallenge }: LoginBeginning,
): Record<string, string> {
  const profile = profileOf(type);
  return {
    redirect_uri: redirectUri,
    scope: [profile?.scope ?? gitHubScope, ...scopeOfGroups(groupsClaim, metadata)].join(' '),
    state,
    ...(profile && { nonce }),
    ...(profile?.usesPkce !== false && { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
    ...profile?.parameters,
  };
}

/**
 * Some providers send the claim of groups only for a scope of its name, such as Pocket ID and Authelia. Others reject a scope
 * that they do not know, so that it is requested only if the metadata names both.
 */
function scopeOfGroups(
  claim: string | null,
  { scopes_supported: scopes, claims_supported: claims }: ServerMetadata,
): string[] {
  if (claim === null) return [];
  const isNamed = [scopes, claims].every((names) => Array.isArray(names) && names.includes(claim));
  return isNamed ? [claim] : [];
}
