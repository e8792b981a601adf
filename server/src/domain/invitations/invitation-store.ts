import type { InvitationStatus } from '@gatehouse/contract';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { inBatches } from '../../storage/sql/batches.ts';
import { booleanColumn, jsonColumn, TableColumns } from '../../storage/sql/columns.ts';
import { forUpdate } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { StoredInvitation } from './invitation.ts';

const columns = new TableColumns<StoredInvitation>('invitations', {
  id: 'id',
  note: 'note',
  email: 'email',
  language: 'language',
  groupIds: jsonColumn('group_ids'),
  membershipExpiresAt: 'membership_expires_at',
  membershipDays: 'membership_days',
  maxUses: 'max_uses',
  usedCount: 'used_count',
  emailDomains: jsonColumn('email_domains'),
  needsApproval: booleanColumn('needs_approval'),
  expiresAt: 'expires_at',
  revokedAt: 'revoked_at',
  sealedCode: 'sealed_code',
  makerType: 'maker_type',
  makerId: 'maker_id',
  sentAt: 'sent_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

export async function insertInvitations(
  view: SiteData<Transaction>,
  invitations: readonly StoredInvitation[],
): Promise<void> {
  await columns.insert(view, invitations);
}

export interface InvitationCode {
  readonly codeHash: string;
  readonly invitationId: string;
  readonly createdAt: Timestamp;
}

const codeColumns = new TableColumns<InvitationCode>('invitation_codes', {
  codeHash: 'code_hash',
  invitationId: 'invitation_id',
  createdAt: 'created_at',
});

export async function insertCodes(
  view: SiteData<Transaction>,
  codes: readonly InvitationCode[],
): Promise<void> {
  await codeColumns.insert(view, codes);
}

export async function deleteCodesOf(
  { db, siteId }: SiteData<Transaction>,
  invitationId: string,
): Promise<void> {
  await db.run(
    sql`DELETE FROM invitation_codes WHERE site_id = ${siteId} AND invitation_id = ${invitationId}`,
  );
}

export function selectInvitation(
  view: SiteData,
  invitationId: string,
): Promise<StoredInvitation | undefined> {
  return columns.first(view, sql`AND id = ${invitationId}`);
}

export function selectInvitationsById(
  view: SiteData,
  invitationIds: readonly string[],
): Promise<StoredInvitation[]> {
  return inBatches(invitationIds, (ids) => columns.find(view, sql`AND id IN ${valueList(ids)}`));
}

export function selectInvitationByCode(
  view: SiteData,
  codeHash: string,
): Promise<StoredInvitation | undefined> {
  const { siteId } = view;
  return columns.first(
    view,
    sql`AND id = (SELECT invitation_id FROM invitation_codes WHERE site_id = ${siteId} AND code_hash = ${codeHash})`,
  );
}

/** Locks an invitation until the transaction ends. */
export function lockInvitationRow(
  view: SiteData<Transaction>,
  invitationId: string,
): Promise<StoredInvitation | undefined> {
  return columns.first(view, sql`AND id = ${invitationId} ${forUpdate(view.db)}`);
}

export interface InvitationFilter {
  readonly status?: InvitationStatus | undefined;
  readonly email?: string | undefined;
}

/** A page of invitations, newest first. */
export function selectInvitations(
  view: SiteView,
  { status, email }: InvitationFilter,
  after: string | undefined,
  limit: number,
): Promise<StoredInvitation[]> {
  const hasEmail = email === undefined ? empty : sql`AND email = ${email}`;
  const hasStatus = status === undefined ? empty : sql`AND ${conditionOf(status, view.now)}`;
  return columns.page(view, after, limit, sql`${hasEmail} ${hasStatus}`);
}

/** All invitations to an address. */
export function selectInvitationsTo(view: SiteData, email: string): Promise<StoredInvitation[]> {
  return columns.find(view, sql`AND email = ${email}`);
}

/** The active invitations to some addresses, the newest first. */
export function selectActiveByEmail(view: SiteView, emails: readonly string[]): Promise<StoredInvitation[]> {
  return inBatches(emails, (batch) =>
    columns.find(
      view,
      sql`AND email IN ${valueList(batch)} AND ${conditionOf('active', view.now)} ORDER BY id DESC`,
    ),
  );
}

/** As `statusOf`. */
function conditionOf(status: InvitationStatus, now: Timestamp): Sql {
  if (status === 'revoked') return sql`revoked_at IS NOT NULL`;
  if (status === 'used_up') return sql`revoked_at IS NULL AND used_count >= max_uses`;
  const hasUses = sql`revoked_at IS NULL AND (max_uses IS NULL OR used_count < max_uses)`;
  return status === 'expired'
    ? sql`${hasUses} AND expires_at <= ${now}`
    : sql`${hasUses} AND expires_at > ${now}`;
}

/** Stores what can be changed of an invitation that is locked. Uses are counted by `takeUse` alone. */
export async function updateInvitationRow(
  { db, siteId }: SiteData<Transaction>,
  invitation: StoredInvitation,
): Promise<void> {
  const unchanged = ['id', 'email', 'language', 'usedCount', 'sealedCode', 'createdAt'] as const;
  await db.run(sql`
    UPDATE invitations SET ${columns.assignments(invitation, unchanged)}
    WHERE site_id = ${siteId} AND id = ${invitation.id}`);
}

/** Counts a use, if there is one left and the invitation is in force. Returns whether it was. */
export async function takeUse(
  { db, siteId, now }: SiteView<Transaction>,
  invitationId: string,
): Promise<boolean> {
  const taken = await db.run(sql`
    UPDATE invitations SET used_count = used_count + 1
    WHERE site_id = ${siteId} AND id = ${invitationId} AND ${conditionOf('active', now)}`);
  return taken > 0;
}

/** Counts a use that was approved, if there is one left. The person may have used the link before it ended. */
export async function takeApprovedUse(
  { db, siteId }: SiteData<Transaction>,
  invitationId: string,
): Promise<boolean> {
  const taken = await db.run(sql`
    UPDATE invitations SET used_count = used_count + 1
    WHERE site_id = ${siteId} AND id = ${invitationId} AND (max_uses IS NULL OR used_count < max_uses)`);
  return taken > 0;
}
