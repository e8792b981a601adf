import type { SiteHost } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { bareNameOf } from '../src/domain/sites/hosts.ts';
import type { Database } from '../src/storage/database.ts';

/**
 * Gives a site a host whose name another site has, with or without `www.`, as it was possible before names were
 * reserved: after the others, or as its only host.
 */
export async function shareHost(
  database: Database,
  siteId: string,
  domain: string,
  { isPrimary = false } = {},
): Promise<void> {
  const name = bareNameOf(domain);
  const host: SiteHost = { domain, scheme: 'https', redirect: false };
  await database.transaction(async (tx) => {
    if (isPrimary) {
      await tx.run(sql`DELETE FROM site_hosts WHERE site_id = ${siteId}`);
      await tx.run(sql`UPDATE sites SET domain = ${domain}, further_hosts = '[]' WHERE id = ${siteId}`);
    } else {
      await tx.run(sql`UPDATE sites SET further_hosts = ${JSON.stringify([host])} WHERE id = ${siteId}`);
    }
    await tx.run(
      sql`INSERT INTO site_hosts (site_id, domain, bare_name) VALUES (${siteId}, ${domain}, ${name})`,
    );
    await tx.run(sql`UPDATE site_hosts SET reserved_name = NULL WHERE bare_name = ${name}`);
    await tx.signal();
  });
}
