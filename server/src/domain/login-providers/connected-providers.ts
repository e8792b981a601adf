import { ApiError } from '../../base/api-error.ts';
import type { SecretBox } from '../../base/encryption/secret-box.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { openLoginProvider } from './login-provider-secrets.ts';
import { findRedirectUri, findStoredLoginProvider } from './login-providers.ts';
import { type ProviderConnector, ProviderLoginFailed, type ProviderTest } from './provider-account.ts';

/**
 * Says what is wrong with the settings of a provider, without anyone logging in.
 * @throws {ApiError} `login_provider_not_found`, `site_domain_missing`, `rate_limited`, `unavailable`
 */
export async function testLoginProvider(
  view: SiteData,
  providerId: string,
  secrets: SecretBox,
  connector: ProviderConnector,
): Promise<ProviderTest> {
  const stored = await findStoredLoginProvider(view, providerId);
  const redirectUri = await findRedirectUri(view, stored);
  if (redirectUri === null) {
    throw new ApiError(
      'site_domain_missing',
      'The site has no domain yet, so it has no redirect URI. Set domain with PATCH /site.',
    );
  }
  try {
    return await connector.test(openLoginProvider(secrets, view.siteId, stored), redirectUri);
  } catch (error) {
    if (!(error instanceof ProviderLoginFailed)) throw error;
    return {
      ok: false,
      issuer: null,
      checks: [{ check: 'secret', status: 'failed', message: error.message }],
    };
  }
}
