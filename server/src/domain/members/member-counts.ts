import sql from 'sql-template-tag';
import type { SiteData } from '../../storage/site-view.ts';

export async function hasLoggedInMember({ db, siteId }: SiteData): Promise<boolean> {
  const row = await db.get(sql`
    SELECT 1 AS one FROM members
    WHERE site_id = ${siteId} AND last_login_at > ${'1970-01-01T00:00:00.000Z'} LIMIT 1`);
  return row !== undefined;
}
