import type { OperatorRole } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import type { SiteData } from '../../storage/site-view.ts';
import { firstValue } from '../../storage/sql/results.ts';

/** The role of an operator of a site; undefined if there is none with this id any more. */
export function selectOperatorRole(
  { db, siteId }: SiteData,
  operatorId: string,
): Promise<OperatorRole | undefined> {
  return firstValue(
    db,
    sql`SELECT role FROM operator_roles WHERE site_id = ${siteId} AND id = ${operatorId}`,
  );
}
