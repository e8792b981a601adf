import type { GroupMember, Member, MemberWithGroups } from '@gatehouse/contract';
import { invalidRequest, Refusal } from '../base/refusal.ts';
import { foldCase, nameProblem } from '../base/text.ts';
import { toBoolean } from '../storage/database.ts';
import { normalizeEmail } from './email.ts';

export const longestDisplayName = 200;

type StoredBoolean = boolean | number | null;

export interface MemberRow {
  id: string;
  email: string;
  display_name: string | null;
  status: string;
  verified: StoredBoolean;
  paid: StoredBoolean;
  registered_at: string | null;
  last_login_at: string | null;
  created_at: string;
  updated_at: string;
}

export type GroupMemberRow = Omit<MemberRow, 'created_at' | 'updated_at'>;

export function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    email: row.email,
    displayName: row.display_name,
    status: row.status as Member['status'],
    verified: row.verified === null ? null : toBoolean(row.verified),
    paid: row.paid === null ? null : toBoolean(row.paid),
    registeredAt: row.registered_at,
    lastLoginAt: row.last_login_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function toGroupMember(row: GroupMemberRow): GroupMember {
  return {
    id: row.id,
    email: row.email,
    displayName: row.display_name,
    status: row.status as Member['status'],
    verified: row.verified === null ? null : toBoolean(row.verified),
    paid: row.paid === null ? null : toBoolean(row.paid),
    registeredAt: row.registered_at,
    lastLoginAt: row.last_login_at,
  };
}

/** What a member tells of itself in events. */
export function personOf({ id, email, displayName, status, paid }: Member | MemberWithGroups) {
  return { id, email, displayName, status, paid };
}

/** Trimmed; empty becomes null. Undefined for what cannot be a name: see `displayNameProblem`. */
export function normalizeDisplayName(text: string | null): string | null | undefined {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return null;
  return displayNameProblem(trimmed) === undefined ? trimmed : undefined;
}

/** Why a text cannot be a display name: over 200 code points, or characters that names cannot have. */
export function displayNameProblem(text: string | null): string | undefined {
  return nameProblem(text?.trim() ?? '', longestDisplayName);
}

/** The text that searches look in: both values, apart, with their case folded. */
export function searchTextOf(email: string, displayName: string | null): string {
  return displayName === null ? email : `${email}\n${foldCase(displayName)}`;
}

export function nameKeyOf(displayName: string | null): string | null {
  return displayName === null ? null : foldCase(displayName);
}

/** @throws Refusal `invalid_request` */
export function checkEmail(text: string): string {
  const email = normalizeEmail(text);
  if (email === null) throw invalidRequest('/email', `email: ${invalidEmailMessage}`);
  return email;
}

/** @throws Refusal `invalid_request` */
export function checkDisplayName(text: string | null): string | null {
  const displayName = normalizeDisplayName(text);
  if (displayName === undefined)
    throw invalidRequest('/displayName', `displayName: ${displayNameProblem(text)}`);
  return displayName;
}

export const invalidEmailMessage =
  'This is not an email address. Give exactly one, such as ada@example.com, of at most 254 characters.';

export const emailTakenMessage = 'A member with this email exists. Use another email, or update that member.';

export function memberNotFound(): Refusal {
  return new Refusal('member_not_found', 'This site has no member with this id. Check the id.');
}

export function emailTaken(): Refusal {
  return new Refusal('email_taken', emailTakenMessage);
}
