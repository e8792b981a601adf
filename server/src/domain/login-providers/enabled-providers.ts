import type { SiteData } from '../../storage/site-view.ts';
import type { StoredLoginProvider } from './login-provider.ts';
import { selectLoginProvider } from './login-provider-store.ts';

/** The providers that the login page offers, oldest first. Ask only for those of a site with `hasLoginProviders`. */
export { selectOfferedProviders as listEnabledProviders } from './login-provider-store.ts';

/** A provider with which people can log in now. */
export async function findEnabledProvider(
  view: SiteData,
  providerId: string,
): Promise<StoredLoginProvider | undefined> {
  const provider = await selectLoginProvider(view, providerId);
  return provider?.enabled ? provider : undefined;
}
