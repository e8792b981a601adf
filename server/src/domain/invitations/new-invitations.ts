import type {
  BulkCreateInvitations,
  BulkInvitationResultItem,
  CreateInvitation,
  Invitation,
  Member,
  Site,
} from '@gatehouse/contract';
import { ApiError, invalidRequest } from '../../base/api-error.ts';
import type { SecretBox } from '../../base/encryption/secret-box.ts';
import { newId, timeOfId } from '../../base/ids.ts';
import { requireCustomGroups } from '../access-groups/access-groups.ts';
import type { KeyAuthority } from '../api-keys/key-authority.ts';
import { framesForMembers } from '../email-texts/email-texts.ts';
import { chargeSentEmail, chargeSentEmails } from '../emails/email-budgets.ts';
import type { EmailContext } from '../emails/email-composer.ts';
import type { Change } from '../events/change.ts';
import { lockInviting } from '../invitation-ends/invitation-ends.ts';
import { lockMembersByEmail } from '../members/member-lookup.ts';
import { InvalidValue, readEmail, requireValid } from '../members/member-values.ts';
import { generateToken, hashToken } from '../sessions/token.ts';
import { joinUrl } from '../sites/site-addresses.ts';
import { requireSiteWithDomain } from '../sites/sites.ts';
import {
  alreadyInvitedMessage,
  type InvitationSettings,
  placeOfInvitationCode,
  type StoredInvitation,
} from './invitation.ts';
import { queueMemberInvitation } from './invitation-emails.ts';
import { insertCodes, insertInvitations, selectActiveByEmail } from './invitation-store.ts';
import { checkLanguage, newSettings } from './invitation-values.ts';
import { showInvitation } from './invitation-view.ts';
import { makerOf, requireInviter } from './maker.ts';

/** What is needed to invite people. */
export interface InvitingParts {
  readonly secrets: SecretBox;
  readonly emails: EmailContext;
  /** The rights of who invites. */
  readonly authority: KeyAuthority;
}

/** Who is invited. */
interface Recipient {
  /** Null for everyone who has the link. */
  readonly email: string | null;
  /** Of the member who has the address. */
  readonly id: string | null;
  /** The member who has the address, whose row is locked. */
  readonly member: Member | null;
}

/** What new invitations have in common. */
interface Draft {
  readonly site: Site;
  readonly settings: InvitationSettings;
  readonly language: string | null;
  readonly isSent: boolean;
}

/**
 * @throws {ApiError} `invalid_request`, `permission_denied`, `access_group_not_found`, `scope_group_read_only`,
 * `already_invited`, `site_domain_missing`, `email_budget_exhausted`
 */
export async function createInvitation(
  change: Change,
  input: CreateInvitation,
  parts: InvitingParts,
): Promise<Invitation> {
  const email = input.email == null ? null : requireValid(readEmail(input.email));
  const isSent = input.send ?? email !== null;
  if (isSent && email === null)
    throw invalidRequest('/send', 'send: only an invitation with email can be sent. Leave it out.');
  const draft = await checkDraft(change, input, email !== null, isSent, parts.authority);
  if (email === null)
    return (await storeInvitations(change, [{ email, id: null, member: null }], draft, parts))[0]!;
  const recipient = (await toRecipients(change, [email]))[0]!;
  if ((await findInvited(change, [email], draft.settings)).has(email))
    throw new ApiError('already_invited', alreadyInvitedMessage);
  if (isSent) await chargeSentEmail(change, 'member_invitation', recipient, parts.emails.limits);
  return (await storeInvitations(change, [recipient], draft, parts))[0]!;
}

/**
 * Invites many addresses, in the given order, with a result for each. The invitations are stored together.
 * @throws {ApiError} as `createInvitation`, for what concerns all of them; nobody is invited then
 */
export async function createInvitations(
  change: Change,
  input: BulkCreateInvitations,
  parts: InvitingParts,
): Promise<BulkInvitationResultItem[]> {
  const { send: isSent = true } = input;
  const emails = input.emails.map(readEmail);
  const addresses = [...new Set(emails.filter((email) => typeof email === 'string'))];
  const draft = await checkDraft(change, input, true, isSent, parts.authority);
  const recipients = await toRecipients(change, addresses);
  const invited = await findInvited(change, addresses, draft.settings);
  const free = recipients.filter(({ email }) => !invited.has(email));
  const withheld = isSent
    ? await chargeSentEmails(change, 'member_invitation', free, parts.emails.limits)
    : new Map<Recipient, ApiError>();
  const accepted = free.filter((recipient) => !withheld.has(recipient));
  const created = await storeInvitations(change, accepted, draft, parts);
  const invitations = new Map(created.map((invitation) => [invitation.email, invitation]));
  const errors = new Map([...withheld].map(([{ email }, { message }]) => [email, message]));

  return emails.map((email, index): BulkInvitationResultItem => {
    const submitted = input.emails[index]!;
    if (email instanceof InvalidValue) return failed(submitted, email.code, email.message);
    const message = errors.get(email);
    if (message !== undefined) return failed(submitted, 'email_budget_exhausted', message);
    const invitation = invitations.get(email);
    if (!invitation) return failed(submitted, 'already_invited', alreadyInvitedMessage);
    // An address that is submitted again has been invited by then.
    invitations.delete(email);
    return { email: submitted, status: 'created', invitation };
  });
}

type Failure = Extract<BulkInvitationResultItem, { status: 'conflict' | 'error' }>;

function failed(email: string, code: Failure['error']['code'], message: string): Failure {
  return { email, status: code === 'already_invited' ? 'conflict' : 'error', error: { code, message } };
}

async function checkDraft(
  change: Change,
  input: CreateInvitation,
  isForAddress: boolean,
  isSent: boolean,
  authority: KeyAuthority,
): Promise<Draft> {
  const settings = newSettings(input, isForAddress, authority, change.now);
  await lockInviting(change);
  await requireInviter(change, makerOf(change.context.actor), settings.groupIds);
  const site = await requireSiteWithDomain(change);
  const language = checkLanguage(input.language ?? null, site);
  await requireCustomGroups(change, settings.groupIds);
  return { site, settings, language, isSent };
}

/** The people with some addresses. The members among them are locked, before anything else of them. */
async function toRecipients(
  change: Change,
  emails: readonly string[],
): Promise<(Recipient & { email: string })[]> {
  const members = await lockMembersByEmail(change, emails);
  return emails.map((email) => {
    const member = members.get(email) ?? null;
    return { email, id: member?.id ?? null, member };
  });
}

/** Which of the addresses have an active invitation to the same groups. */
async function findInvited(
  change: Change,
  emails: readonly string[],
  { groupIds }: InvitationSettings,
): Promise<Set<string | null>> {
  const groups = groupIds.join();
  const active = await selectActiveByEmail(change, emails);
  return new Set(active.filter((each) => each.groupIds.join() === groups).map(({ email }) => email));
}

/** Stores an invitation for each recipient, in the given order, and sends it if that is wanted. */
async function storeInvitations(
  change: Change,
  recipients: readonly Recipient[],
  { site, settings, language, isSent }: Draft,
  { secrets, emails }: InvitingParts,
): Promise<Invitation[]> {
  if (recipients.length === 0) return [];
  const { siteId, now } = change;
  const maker = makerOf(change.context.actor);
  const made = recipients.map((recipient) => {
    const id = newId();
    const code = generateToken();
    const createdAt = timeOfId(id);
    const stored: StoredInvitation = {
      ...settings,
      ...maker,
      id,
      email: recipient.email,
      language,
      usedCount: 0,
      revokedAt: null,
      sealedCode: recipient.email === null ? secrets.seal(code, placeOfInvitationCode(siteId, id)) : null,
      sentAt: isSent ? now : null,
      createdAt,
      updatedAt: createdAt,
    };
    return { stored, code, recipient };
  });
  await insertInvitations(
    change,
    made.map(({ stored }) => stored),
  );
  await insertCodes(
    change,
    made.map(({ stored, code }) => ({
      codeHash: hashToken(code),
      invitationId: stored.id,
      createdAt: stored.createdAt,
    })),
  );
  const writing = isSent && { composer: emails.composer, frameFor: await framesForMembers(change) };
  for (const { stored, code, recipient } of made) {
    recordCreation(change, stored);
    if (writing) await queueMemberInvitation(change, site, stored, code, recipient.member, writing);
  }
  return made.map(({ stored, code }) => showInvitation(stored, change, isSent ? null : joinUrl(site, code)));
}

function recordCreation(change: Change, { id, groupIds, email, expiresAt }: StoredInvitation): void {
  const data = { invitationId: id, accessGroupIds: [...groupIds], isForAddress: email !== null, expiresAt };
  change.record({ type: 'invitation.created', data });
}
