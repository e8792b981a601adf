import sql, { join } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { valueList } from '../../storage/sql/value-list.ts';

/** A host at which a site is found. */
export interface SavedHost {
  readonly domain: string;
  readonly bareName: string;
  /** The name that no other site can have: set for one host of each name. */
  readonly reservedName: string | null;
}

/** Replaces the hosts at which a site is found. In the order of their names, so that two sites cannot block each other. */
export async function saveHosts(
  { db, siteId }: SiteData<Transaction>,
  hosts: readonly SavedHost[],
): Promise<void> {
  await db.run(sql`DELETE FROM site_hosts WHERE site_id = ${siteId}`);
  if (hosts.length === 0) return;
  const rows = hosts
    .toSorted((one, other) => (one.bareName < other.bareName ? -1 : 1))
    .map(({ domain, bareName, reservedName }) => sql`(${siteId}, ${domain}, ${bareName}, ${reservedName})`);
  await db.run(sql`INSERT INTO site_hosts (site_id, domain, bare_name, reserved_name) VALUES ${join(rows)}`);
}

export interface ForeignHost {
  readonly siteId: string;
  readonly domain: string;
  readonly claimReportedAt: Timestamp | null;
}

/** The hosts of other sites that have one of the names. */
export function selectHostsOfOthers(
  { db, siteId }: SiteData,
  bareNames: readonly string[],
): Promise<ForeignHost[]> {
  return db.all<ForeignHost>(sql`
    SELECT site_id AS "siteId", domain, claim_reported_at AS "claimReportedAt" FROM site_hosts
    WHERE bare_name IN ${valueList(bareNames)} AND site_id <> ${siteId}
    ORDER BY site_id, domain`);
}

/** Returns whether the site has had no event since a time about a name of this host that another one was refused. */
export async function markClaimReported(
  { db, siteId, now }: SiteView<Transaction>,
  domain: string,
  since: Timestamp,
): Promise<boolean> {
  const marked = await db.run(sql`
    UPDATE site_hosts SET claim_reported_at = ${now}
    WHERE site_id = ${siteId} AND domain = ${domain}
      AND (claim_reported_at IS NULL OR claim_reported_at <= ${since})`);
  return marked > 0;
}
