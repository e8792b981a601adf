import type { ConnectedProvider } from '../../domain/login-providers/login-provider.ts';
import type { LoginBeginning } from '../../domain/login-providers/provider-account.ts';
import { gitHubScope } from './github.ts';
import { profileOf } from './profiles.ts';

/** The parameters of the page to which the browser is led. */
export function authorizationParameters(
  { type }: ConnectedProvider,
  { redirectUri, state, nonce, codeChallenge }: LoginBeginning,
): Record<string, string> {
  const profile = profileOf(type);
  return {
    redirect_uri: redirectUri,
    scope: profile?.scope ?? gitHubScope,
    state,
    ...(profile && { nonce }),
    ...(profile?.usesPkce !== false && { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
    ...profile?.parameters,
  };
}
