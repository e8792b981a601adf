import type { InvitationRedemption } from '@gatehouse/contract';
import sql, { empty } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { booleanColumn, Columns, TableColumns } from '../../storage/sql/columns.ts';
import { hasRow } from '../../storage/sql/results.ts';

/** That a member has joined with an invitation. */
export interface StoredRedemption {
  readonly id: string;
  readonly invitationId: string;
  readonly memberId: string;
  readonly isNewMember: boolean;
  readonly redeemedAt: Timestamp;
}

const columns = new TableColumns<StoredRedemption>('invitation_redemptions', {
  id: 'id',
  invitationId: 'invitation_id',
  memberId: 'member_id',
  isNewMember: booleanColumn('is_new_member'),
  redeemedAt: 'redeemed_at',
});

export async function insertRedemption(
  view: SiteData<Transaction>,
  redemption: StoredRedemption,
): Promise<void> {
  await columns.insert(view, [redemption]);
}

/** When a member first joined with an invitation; undefined if the member has not. */
export async function findFirstRedemptionTime(
  { db, siteId }: SiteData,
  invitationId: string,
  memberId: string,
): Promise<Timestamp | undefined> {
  const redemption = await columns.get(
    db,
    sql`
    SELECT ${columns.list} FROM invitation_redemptions
    WHERE site_id = ${siteId} AND invitation_id = ${invitationId} AND member_id = ${memberId}
    ORDER BY id LIMIT 1`,
  );
  return redemption?.redeemedAt;
}

type Member = InvitationRedemption['member'];

/** A redemption and its member in one row. */
interface RedemptionRow extends Omit<Member, 'id'> {
  readonly id: string;
  readonly memberId: string;
  readonly isNewMember: boolean;
  readonly redeemedAt: Timestamp;
}

const listColumns = new Columns<RedemptionRow>({
  id: 'r.id',
  memberId: 'm.id',
  email: 'm.email',
  displayName: 'm.display_name',
  status: 'm.status',
  paid: booleanColumn('m.paid'),
  isNewMember: booleanColumn('r.is_new_member'),
  redeemedAt: 'r.redeemed_at',
});

/** Who has joined with an invitation, latest first. */
export async function selectRedemptions(
  { db, siteId }: SiteData,
  invitationId: string,
  after: string | undefined,
  limit: number,
): Promise<InvitationRedemption[]> {
  const rows = await listColumns.all(
    db,
    sql`
    SELECT ${listColumns.list} FROM invitation_redemptions r CROSS JOIN members m
    WHERE r.site_id = ${siteId} AND r.invitation_id = ${invitationId}
      ${after === undefined ? empty : sql`AND r.id < ${after}`}
      AND m.site_id = ${siteId} AND m.id = r.member_id
    ORDER BY r.id DESC LIMIT ${limit}`,
  );
  return rows.map(({ id, memberId, email, displayName, status, paid, isNewMember, redeemedAt }) => ({
    id,
    member: { id: memberId, email, displayName, status, paid },
    isNewMember,
    redeemedAt,
  }));
}

export function hasRedemption(
  { db, siteId }: SiteData,
  invitationId: string,
  redemptionId: string,
): Promise<boolean> {
  return hasRow(
    db,
    sql`SELECT id FROM invitation_redemptions
      WHERE site_id = ${siteId} AND id = ${redemptionId} AND invitation_id = ${invitationId}`,
  );
}
