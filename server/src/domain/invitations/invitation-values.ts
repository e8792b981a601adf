import type { Site, UpdateInvitation } from '@gatehouse/contract';
import {
  defaultInvitationDays,
  maxInvitationDays,
  maxInvitationNoteLength,
} from '@gatehouse/contract/limits';
import { invalidRequest, requireTimestamp } from '../../base/api-error.ts';
import { earlier, millisecondsPerDay, type Timestamp, timestampAfter } from '../../base/clock.ts';
import { lengthOf } from '../../base/text/text.ts';
import { endWithin, type KeyAuthority } from '../api-keys/key-authority.ts';
import { checkExpiry } from '../memberships/memberships.ts';
import { checkEmailDomain } from '../sites/site.ts';
import type { InvitationSettings } from './invitation.ts';

const defaults: Omit<InvitationSettings, 'expiresAt'> = {
  note: '',
  groupIds: [],
  membershipExpiresAt: null,
  membershipDays: null,
  maxUses: null,
  emailDomains: [],
  needsApproval: false,
};

/** The settings of a new invitation. @throws {ApiError} `invalid_request`, `permission_denied` */
export function newSettings(
  input: UpdateInvitation,
  isForAddress: boolean,
  authority: KeyAuthority,
  now: Timestamp,
): InvitationSettings {
  const byDefault = timestampAfter(now, defaultInvitationDays * millisecondsPerDay);
  const expiresAt = earlier(byDefault, authority.key?.expiresAt ?? null);
  const maxUses = isForAddress ? 1 : null;
  return checkSettings(input, { ...defaults, maxUses, expiresAt }, isForAddress, authority, now);
}

/** The settings with those that were submitted. @throws {ApiError} `invalid_request`, `permission_denied` */
export function checkSettings(
  input: UpdateInvitation,
  before: InvitationSettings,
  isForAddress: boolean,
  authority: KeyAuthority,
  now: Timestamp,
): InvitationSettings {
  const membershipExpiresAt =
    input.membershipExpiresAt === undefined
      ? before.membershipExpiresAt
      : checkExpiry('/membershipExpiresAt', input.membershipExpiresAt, now);
  const expiresAt = endWithin(
    authority,
    input.expiresAt === undefined ? before.expiresAt : checkEnd(input.expiresAt, now),
  )!;
  const settings: InvitationSettings = {
    note: input.note === undefined ? before.note : checkNote(input.note),
    groupIds: uniqueSorted(input.accessGroupIds?.map((id) => id.toLowerCase()) ?? before.groupIds),
    membershipExpiresAt,
    membershipDays: input.membershipDays === undefined ? before.membershipDays : input.membershipDays,
    maxUses: input.maxUses === undefined ? before.maxUses : input.maxUses,
    emailDomains: uniqueSorted(input.emailDomains?.map(checkDomainAt) ?? before.emailDomains),
    needsApproval: input.needsApproval ?? before.needsApproval,
    // Nobody joins without the groups, whose memberships have ended by then.
    expiresAt: earlier(expiresAt, membershipExpiresAt),
  };
  if (settings.membershipExpiresAt !== null && settings.membershipDays !== null) {
    throw invalidRequest('/membershipDays', 'membershipDays and membershipExpiresAt exclude each other.');
  }
  return isForAddress ? forOnePerson(settings) : settings;
}

/** One of the languages of the site; null for the first of them. @throws {ApiError} `invalid_request` */
export function checkLanguage(language: string | null, { languages }: Site): string | null {
  if (language === null || languages.includes(language)) return language;
  throw invalidRequest('/language', `language must be one of ${languages.join(', ')}.`);
}

/** @throws {ApiError} `invalid_request` for what makes no sense for an invitation that works for one address */
function forOnePerson(settings: InvitationSettings): InvitationSettings {
  if (settings.maxUses !== null && settings.maxUses !== 1)
    throw invalidRequest('/maxUses', 'maxUses is 1 for an invitation with email. Leave it out.');
  if (settings.emailDomains.length > 0)
    throw invalidRequest('/emailDomains', 'An invitation with email has no emailDomains. Leave them out.');
  return { ...settings, maxUses: 1 };
}

/** At most 500 code points; line breaks are allowed. */
function checkNote(text: string): string {
  const note = text.trim().normalize('NFC');
  if (lengthOf(note) <= maxInvitationNoteLength && note.isWellFormed()) return note;
  throw invalidRequest('/note', `note must have at most ${maxInvitationNoteLength} characters.`);
}

function checkDomainAt(domain: string, index: number): string {
  return checkEmailDomain(domain, `/emailDomains/${index}`);
}

function checkEnd(text: string, now: Timestamp): Timestamp {
  const end = requireTimestamp('/expiresAt', text);
  if (end <= now) throw invalidRequest('/expiresAt', 'expiresAt must be in the future.');
  if (end <= timestampAfter(now, maxInvitationDays * millisecondsPerDay)) return end;
  throw invalidRequest('/expiresAt', `expiresAt must be at most ${maxInvitationDays} days from now.`);
}

function uniqueSorted(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}
