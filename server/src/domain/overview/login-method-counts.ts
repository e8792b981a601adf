import type { LoginMethods } from '@gatehouse/contract';
import sql, { raw } from 'sql-template-tag';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { countOf } from '../../storage/sql/results.ts';
import { methodOfSession } from '../sessions/sessions.ts';

export function countMembersWithPasskeys({ db, siteId }: SiteData): Promise<number> {
  return countOf(db, sql`SELECT count(DISTINCT member_id) AS count FROM passkeys WHERE site_id = ${siteId}`);
}

/** The sessions that have not expired, by how they were opened. */
export async function countSessionsByMethod({
  db,
  siteId,
  now,
}: SiteView): Promise<LoginMethods['sessions']> {
  const rows = await db.all<{ method: keyof LoginMethods['sessions']; count: number }>(sql`
    SELECT COALESCE(${raw(methodOfSession)}, 'unknown') AS method, count(*) AS count
    FROM sessions WHERE site_id = ${siteId} AND expires_at > ${now} GROUP BY 1`);
  const counts = new Map(rows.map(({ method, count }) => [method, Number(count)]));
  const numberOf = (method: keyof LoginMethods['sessions']) => counts.get(method) ?? 0;
  return {
    link: numberOf('link'),
    code: numberOf('code'),
    passkey: numberOf('passkey'),
    provider: numberOf('provider'),
    unknown: numberOf('unknown'),
  };
}
