import { ApiError } from '../../base/api-error.ts';
import type { Transaction } from '../../storage/database.ts';
import { isUniqueViolation } from '../../storage/errors.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { type SavedHost, saveHosts, selectHostsOfOthers } from './host-store.ts';
import { bareNameOf } from './hosts.ts';
import { isThisMachine } from './site.ts';
import { selectOperatorTenant } from './site-store.ts';

/**
 * A site may not have a host, because another one has its name. The transaction of the request is rolled back, so the
 * other site gets its event in a separate transaction: `reportTakenHosts`.
 */
export class HostTaken extends ApiError {
  /** The site that was refused the domains. */
  readonly siteId: string;
  /** At least one of them is taken. */
  readonly domains: readonly string[];

  constructor(siteId: string, domains: readonly string[]) {
    const what = domains.length === 1 ? domains[0] : 'one of these hosts';
    const message = `Another site uses ${what}, possibly with or without www., or on another port. Choose another domain.`;
    super('site_domain_taken', message);
    this.siteId = siteId;
    this.domains = domains;
  }
}

/**
 * Replaces the hosts of a site. A name, with and without `www.`, belongs to one site: a constraint decides between two
 * that want it at the same time.
 * @param before the domains that the site has had until now, the primary one first
 * @throws {ApiError} `site_domain_taken`
 */
export async function claimHosts(
  view: SiteData<Transaction>,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const { db, siteId } = view;
  const fresh = after.filter((domain) => !before.includes(domain));
  await refuseDashboardHost(db, fresh);
  await requireFree(view, after);
  const hosts = after.map((domain, index): SavedHost => {
    const bareName = bareNameOf(domain);
    const isFirst = after.findIndex((each) => bareNameOf(each) === bareName) === index;
    return { domain, bareName, reservedName: isFirst ? bareName : null };
  });
  await saveHosts(view, hosts).catch(rejectTakenHosts(siteId, fresh));
}

/** @throws {HostTaken} if another site has one of the names */
async function requireFree(view: SiteData<Transaction>, domains: readonly string[]): Promise<void> {
  if (domains.length === 0) return;
  const others = await selectHostsOfOthers(view, domains.map(bareNameOf));
  const names = new Set(others.map(({ domain }) => bareNameOf(domain)));
  const taken = domains.find((domain) => names.has(bareNameOf(domain)));
  if (taken !== undefined) throw new HostTaken(view.siteId, [taken]);
}

/**
 * No site may use the host of the dashboard, on any port and with or without `www.`, because its pages could imitate the
 * dashboard's. On the local machine, sites differ by port.
 */
async function refuseDashboardHost(tx: Transaction, domains: readonly string[]): Promise<void> {
  const { operatorHost: dashboard = null } = (await selectOperatorTenant(tx)) ?? {};
  if (dashboard === null) return;
  const taken = domains.find(
    (domain) => !isThisMachine(domain) && bareNameOf(domain) === bareNameOf(dashboard),
  );
  if (taken === undefined) return;
  throw new ApiError(
    'site_domain_taken',
    `The dashboard uses ${taken}, possibly with or without www., or on another port. Choose another domain.`,
  );
}

const constraints = ['sites_domain', 'site_hosts_domain', 'site_hosts_name', 'site_hosts_reserved_name'];

/** Translates the error of a constraint on hosts. */
export function rejectTakenHosts(siteId: string, domains: readonly string[]): (error: unknown) => never {
  return (error) => {
    if (constraints.some((name) => isUniqueViolation(error, name))) throw new HostTaken(siteId, domains);
    throw error;
  };
}
