import type { Site } from '@gatehouse/contract';
import type { Queries } from '../../storage/database.ts';
import { bareNameOf, domainsNamed, isDisputed } from './hosts.ts';
import { isThisMachine, toSite } from './site.ts';
import { selectSitesWithName, selectSitesWithSharedNames } from './site-store.ts';

/** A name that several sites have, with and without `www.`: from the time before a name belonged to one site. */
interface HostDispute {
  readonly name: string;
  readonly sites: readonly Site[];
  /** The domains that are served for no site until the name belongs to one. */
  readonly denied: readonly string[];
}

/** The names whose hosts must be given to one of the sites that have them. */
async function findHostDisputes(db: Queries): Promise<HostDispute[]> {
  const sites = (await selectSitesWithSharedNames(db)).map(toSite);
  const byName = new Map<string, Set<Site>>();
  for (const site of sites) {
    for (const { domain } of site.hosts) {
      const name = bareNameOf(domain);
      byName.set(name, (byName.get(name) ?? new Set()).add(site));
    }
  }
  return [...byName]
    .filter(([, sharing]) => sharing.size > 1)
    .map(([name, sharing]) => disputeOf(name, [...sharing]));
}

function disputeOf(name: string, sites: readonly Site[]): HostDispute {
  const denied = sites.flatMap((site) =>
    domainsNamed(site, name).filter((domain) => isDisputed(domain, site, sites)),
  );
  return { name, sites, denied };
}

/** What an operator has to decide, in a sentence without its stop, and how. */
export interface HostProblem {
  readonly kind: 'hosts' | 'dashboard';
  /** The slug of the site, if it is only one. */
  readonly site?: string;
  readonly problem: string;
  readonly advice: string;
}

/** The hosts of sites that other sites or the dashboard have too. Such a host is refused, but may be older than the rule. */
export async function findHostProblems(db: Queries, publicUrl: string): Promise<HostProblem[]> {
  const disputes = await findHostDisputes(db);
  return [...(await findDashboardProblems(db, publicUrl)), ...disputes.map(describeDispute)];
}

function describeDispute({ name, sites, denied }: HostDispute): HostProblem {
  const owners = sites.map((site) => `${site.slug} (${domainsNamed(site, name).join(', ')})`);
  return {
    kind: 'hosts',
    problem: `the sites ${owners.join(' and ')} share the name ${name}: ${denied.join(' and ')} is served for none of them`,
    advice:
      'Decide which site has the name, with and without www., and take it from the hosts of the others: ./gatehouse site ' +
      'update <site>, with --domain, --host and --redirect.',
  };
}

/** A new host of a site is refused for this, but the public URL may have changed later. */
async function findDashboardProblems(db: Queries, publicUrl: string): Promise<HostProblem[]> {
  const { host } = new URL(publicUrl);
  if (isThisMachine(host)) return [];
  const name = bareNameOf(host);
  const sites = (await selectSitesWithName(db, name, [])).map(toSite);
  return sites.map((site) => ({
    kind: 'dashboard',
    site: site.slug,
    problem:
      `the dashboard is at ${host}, and the site ${site.slug} at ${domainsNamed(site, name).join(' and ')}: a script on that site ` +
      'could act as an operator, or imitate the dashboard',
    advice: 'Set GATEHOUSE_PUBLIC_URL to a host that no site has, with or without www.',
  }));
}
