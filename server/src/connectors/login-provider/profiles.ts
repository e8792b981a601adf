import type { LoginProviderType } from '../../domain/login-providers/login-provider.ts';
import { appleProfile } from './apple.ts';
import { googleProfile } from './google.ts';
import { microsoftProfile } from './microsoft.ts';
import { oidcProfile } from './oidc.ts';
import type { OidcProfile } from './provider-profile.ts';

/** Undefined for GitHub, which has no ID tokens. */
export function profileOf(type: LoginProviderType): OidcProfile | undefined {
  return type === 'github' ? undefined : profiles[type];
}

const profiles: Readonly<Record<Exclude<LoginProviderType, 'github'>, OidcProfile>> = {
  oidc: oidcProfile,
  google: googleProfile,
  microsoft: microsoftProfile,
  apple: appleProfile,
};
