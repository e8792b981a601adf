import type { Invitation, InvitationRedemption, UpdateInvitation } from '@gatehouse/contract';
import { ApiError, type Precondition } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import { type Page, type PageQuery, pageOf, toPage } from '../../base/page.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { requireCustomGroups } from '../access-groups/access-groups.ts';
import { findTombstone } from '../cursors/cursor-tombstones.ts';
import { framesForMembers } from '../email-texts/email-texts.ts';
import { chargeSentEmail } from '../emails/email-budgets.ts';
import type { EmailContext } from '../emails/email-composer.ts';
import type { Change } from '../events/change.ts';
import { changesBetween } from '../events/event.ts';
import { invitationList, lockInviting, redemptionList } from '../invitation-ends/invitation-ends.ts';
import { lockMemberByEmail } from '../members/member-lookup.ts';
import { readEmail, requireValid } from '../members/member-values.ts';
import { generateToken, hashToken } from '../sessions/token.ts';
import { requireSiteWithDomain } from '../sites/sites.ts';
import {
  type InvitationSettings,
  invitationNotActive,
  invitationNotFound,
  type StoredInvitation,
  statusOf,
} from './invitation.ts';
import { queueMemberInvitation } from './invitation-emails.ts';
import {
  type InvitationFilter,
  insertCodes,
  lockInvitationRow,
  selectActiveByEmail,
  selectInvitation,
  selectInvitations,
  selectInvitationsTo,
  updateInvitationRow,
} from './invitation-store.ts';
import { checkSettings } from './invitation-values.ts';
import { type InvitationReader, invitationsShownTo, showInvitation } from './invitation-view.ts';
import { makerOf, requireInviter } from './maker.ts';
import type { InvitingParts } from './new-invitations.ts';
import { hasRedemption, selectRedemptions } from './redemption-store.ts';

/** @throws {ApiError} `invitation_not_found` */
export async function findInvitation(
  view: SiteView,
  invitationId: string,
  reader: InvitationReader,
): Promise<Invitation> {
  const stored = await requireInvitation(view, invitationId);
  return (await invitationsShownTo(view, reader))(stored);
}

/** Lists the invitations of a site, newest first. @throws {ApiError} `invalid_cursor`, `invalid_request` */
export async function listInvitations(
  view: SiteView,
  { after, limit, email, status }: InvitationFilter & PageQuery,
  reader: InvitationReader,
): Promise<Page<Invitation>> {
  const filter = { status, email: email === undefined ? undefined : requireValid(readEmail(email)) };
  if (after !== undefined && !(await selectInvitation(view, after)))
    await findTombstone(view, invitationList, after);
  const rows = await selectInvitations(view, filter, after, limit + 1);
  return toPage(rows, limit, await invitationsShownTo(view, reader));
}

/** Lists who has joined with an invitation, latest first. @throws {ApiError} `invitation_not_found`, `invalid_cursor` */
export async function listRedemptions(
  view: SiteView,
  invitationId: string,
  { after, limit }: PageQuery,
): Promise<Page<InvitationRedemption>> {
  await requireInvitation(view, invitationId);
  if (after !== undefined && !(await hasRedemption(view, invitationId, after)))
    await findTombstone(view, redemptionList(invitationId), after);
  return pageOf(await selectRedemptions(view, invitationId, after, limit + 1), limit);
}

/**
 * Changes an invitation, which from then on ends with who changes it.
 * @throws {ApiError} `invitation_not_found`, `invitation_not_active`, `invalid_request`, `permission_denied`,
 * `access_group_not_found`, `scope_group_read_only`
 */
export async function updateInvitation(
  change: Change,
  invitationId: string,
  input: UpdateInvitation,
  { authority, secrets }: InvitingParts,
  requireMatch: Precondition<Invitation>,
): Promise<Invitation> {
  const { now } = change;
  await lockInviting(change);
  const before = await lockInvitation(change, invitationId);
  const show = await invitationsShownTo(change, { permissions: authority.permissions, secrets });
  requireMatch(show(before));
  if (before.revokedAt !== null) throw invitationNotActive('revoked');
  const settings = checkSettings(input, before, before.email !== null, authority, now);
  const maker = makerOf(change.context.actor);
  await requireInviter(change, maker, [...before.groupIds, ...settings.groupIds]);
  if (input.accessGroupIds) await requireCustomGroups(change, settings.groupIds);
  const changes = changesBetween(eventFields(before), eventFields(settings), changeableFields);
  // What operators note is only for them.
  if (settings.note !== before.note) changes.unshift({ field: 'note', from: null, to: null });
  if (changes.length === 0) return show(before);
  const after: StoredInvitation = { ...before, ...settings, ...maker, updatedAt: now };
  await updateInvitationRow(change, after);
  change.record({ type: 'invitation.updated', data: { invitationId, changes } });
  return show(after);
}

/** @throws {ApiError} `invitation_not_found`, `invitation_not_active` */
export async function revokeInvitation(
  change: Change,
  invitationId: string,
  reader: InvitationReader,
  requireMatch: Precondition<Invitation>,
): Promise<void> {
  const { now } = change;
  const before = await lockInvitation(change, invitationId);
  requireMatch((await invitationsShownTo(change, reader))(before));
  if (before.revokedAt !== null) throw invitationNotActive('revoked');
  await updateInvitationRow(change, { ...before, revokedAt: now, updatedAt: now });
  change.record({ type: 'invitation.revoked', data: { invitationId, reason: 'request' } });
}

/** An invitation, and the email with which it was sent. */
export interface SentInvitation {
  readonly invitation: Invitation;
  readonly emailId: string;
}

/**
 * Sends a new link of an invitation to its address. The former ones work until one is used.
 * @throws {ApiError} `invitation_not_found`, `invitation_without_email`, `invitation_not_active`, `site_domain_missing`,
 * `email_budget_exhausted`
 */
export async function sendInvitation(
  change: Change,
  invitationId: string,
  emails: EmailContext,
): Promise<SentInvitation> {
  const { now } = change;
  const { email } = await requireInvitation(change, invitationId);
  if (email === null) {
    throw new ApiError(
      'invitation_without_email',
      'This invitation is for everyone who has its link, so that it cannot be sent. Pass on its URL.',
    );
  }
  // Locked in the order of everywhere: member, email budgets, invitation.
  const member = await lockMemberByEmail(change, email);
  await chargeSentEmail(change, 'member_invitation', { id: member?.id ?? null, email }, emails.limits);
  const before = await lockInvitation(change, invitationId);
  const status = statusOf(before, now);
  if (status !== 'active') throw invitationNotActive(status);
  const site = await requireSiteWithDomain(change);
  const code = generateToken();
  await insertCodes(change, [{ codeHash: hashToken(code), invitationId, createdAt: now }]);
  const after = { ...before, sentAt: now, updatedAt: now };
  await updateInvitationRow(change, after);
  const writing = { composer: emails.composer, frameFor: await framesForMembers(change) };
  const emailId = await queueMemberInvitation(change, site, after, code, member ?? null, writing);
  // The link of an invitation to an address is in the email alone.
  return { invitation: showInvitation(after, change, null), emailId };
}

/** An email with the link of an invitation. */
interface InvitationEmail {
  readonly recipient: string;
  /** When it was queued. */
  readonly createdAt: Timestamp;
}

/** Whether the invitation that an email is for is active. One that was sent again since is not told apart from others. */
export async function hasActiveInvitation(
  view: SiteView,
  { recipient, createdAt }: InvitationEmail,
): Promise<boolean> {
  const all = await selectInvitationsTo(view, recipient);
  const own = all.filter(({ sentAt }) => sentAt === createdAt);
  return (own.length > 0 ? own : all).some((invitation) => statusOf(invitation, view.now) === 'active');
}

/** The active invitation that an email was for, or else the newest one to that address. */
export async function findInvitationOfEmail(
  view: SiteView,
  { recipient, createdAt }: InvitationEmail,
): Promise<StoredInvitation | undefined> {
  const active = await selectActiveByEmail(view, [recipient]);
  return active.find(({ sentAt }) => sentAt === createdAt) ?? active[0];
}

async function requireInvitation(view: SiteData, invitationId: string): Promise<StoredInvitation> {
  const invitation = await selectInvitation(view, invitationId);
  if (!invitation) throw invitationNotFound();
  return invitation;
}

async function lockInvitation(view: SiteData<Transaction>, invitationId: string): Promise<StoredInvitation> {
  const invitation = await lockInvitationRow(view, invitationId);
  if (!invitation) throw invitationNotFound();
  return invitation;
}

const changeableFields = [
  'accessGroupIds',
  'membershipExpiresAt',
  'membershipDays',
  'maxUses',
  'emailDomains',
  'needsApproval',
  'expiresAt',
] as const;

/** The settings as values of events, without the note. */
function eventFields(settings: InvitationSettings) {
  const { groupIds, membershipExpiresAt, membershipDays, maxUses, emailDomains, needsApproval } = settings;
  return {
    accessGroupIds: groupIds.join(', '),
    membershipExpiresAt,
    membershipDays: membershipDays === null ? null : String(membershipDays),
    maxUses: maxUses === null ? null : String(maxUses),
    emailDomains: emailDomains.join(', '),
    needsApproval,
    expiresAt: settings.expiresAt,
  };
}
