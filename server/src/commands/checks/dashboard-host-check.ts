import type { Site } from '@gatehouse/contract';
import { hostNameOf } from '../../domain/sites/hosts.ts';
import { isThisMachine } from '../../domain/sites/site.ts';
import { type Check, warn } from './check.ts';

/**
 * Whether the dashboard shares a host with a site, on any port. A new domain of a site is refused for this, but the
 * public URL may have changed later.
 */
export function checkDashboardHost(publicUrl: string, sites: readonly Site[]): Check[] {
  const { host } = new URL(publicUrl);
  if (isThisMachine(host)) return [];
  const isShared = ({ hosts }: Site) => hosts.some(({ domain }) => hostNameOf(domain) === hostNameOf(host));
  return sites.filter(isShared).map(({ slug }) => ({
    ...warn(
      'dashboard',
      `the dashboard is at ${host}, a host of the site ${slug}: a script on that site could act as an operator`,
      'Set GATEHOUSE_PUBLIC_URL to a host that no site has.',
    ),
    site: slug,
  }));
}
