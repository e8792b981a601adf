import type { Queries } from '../../storage/database.ts';
import { bareNameOf } from './hosts.ts';
import { isThisMachine, toSite } from './site.ts';
import { selectSitesWithName } from './site-store.ts';

/** What an operator has to decide, in a sentence without its stop, and how. */
interface DashboardHostProblem {
  /** The slug of the site. */
  readonly site: string;
  readonly problem: string;
  readonly advice: string;
}

/** The sites at the host of the dashboard. A new host of a site is refused for this, but the public URL may have changed later. */
export async function findDashboardHostProblems(
  db: Queries,
  publicUrl: string,
): Promise<DashboardHostProblem[]> {
  const { host } = new URL(publicUrl);
  if (isThisMachine(host)) return [];
  const name = bareNameOf(host);
  const sites = (await selectSitesWithName(db, name, [])).map(toSite);
  return sites.map(({ slug, hosts }) => {
    const domains = hosts.map(({ domain }) => domain).filter((domain) => bareNameOf(domain) === name);
    return {
      site: slug,
      problem:
        `the dashboard is at ${host}, and the site ${slug} at ${domains.join(' and ')}: a script on that site ` +
        'could act as an operator, or imitate the dashboard',
      advice: 'Set GATEHOUSE_PUBLIC_URL to a host that no site has, with or without www.',
    };
  });
}
