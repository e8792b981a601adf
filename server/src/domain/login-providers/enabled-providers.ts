import type { SiteData } from '../../storage/site-view.ts';
import type { StoredLoginProvider } from './login-provider.ts';
import { selectEnabledProviders, selectLoginProvider, selectProviderIds } from './login-provider-store.ts';

/** What the login page shows of a provider. */
export type OfferedProvider = Pick<StoredLoginProvider, 'id' | 'type' | 'name'>;

/** The providers that the login page offers, oldest first. Ask only for those of a site with `hasLoginProviders`. */
export async function listEnabledProviders(view: SiteData): Promise<OfferedProvider[]> {
  return (await selectEnabledProviders(view)).map(({ id, type, name }) => ({ id, type, name }));
}

/** A provider with which people can log in now. */
export async function findEnabledProvider(
  view: SiteData,
  providerId: string,
): Promise<StoredLoginProvider | undefined> {
  const provider = await selectLoginProvider(view, providerId);
  return provider?.enabled ? provider : undefined;
}

/** Every provider of the site, oldest first. */
export { selectProviderIds as listProviderIds };
