import type { Member, MemberWithGroups } from '@gatehouse/contract';
import { invalidEmailMessage, normalizeEmail } from '@gatehouse/contract/email-address';
import { displayNameProblem, normalizeDisplayName } from '@gatehouse/contract/names';
import { parseDateTime } from '@gatehouse/contract/times';
import { ApiError, invalidRequest } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import { foldCase } from '../../base/text/text.ts';
import { toBoolean } from '../../storage/database.ts';
import type { MemberCounts } from '../events/site-counts.ts';

type StoredBoolean = boolean | number | null;

/** A member as the store returns it. */
export type MemberRow = Omit<Member, 'verified' | 'paid'> & {
  verified: StoredBoolean;
  paid: StoredBoolean;
};

/** The row itself becomes the member. */
export function toMember(row: MemberRow): Member {
  if (row.verified !== null) row.verified = toBoolean(row.verified);
  if (row.paid !== null) row.paid = toBoolean(row.paid);
  return row as Member;
}

/** A member: one row for each group, or one row without a group. */
export type MemberGroupRow = MemberRow & {
  readonly groupId: string | null;
  readonly groupName: string | null;
};

/** @param rows all rows of one member */
export function toMemberWithGroups(rows: readonly MemberGroupRow[]): MemberWithGroups {
  const { groupId: _, groupName: __, ...row } = rows[0]!;
  const accessGroups = rows.flatMap(({ groupId, groupName }) =>
    groupId === null ? [] : [{ id: groupId, name: groupName! }],
  );
  return { ...toMember(row), accessGroups };
}

/** By how much a change of one member changes the numbers of members. */
export function countsOfChange(
  before: CountedMember | undefined,
  after: CountedMember | undefined,
): MemberCounts {
  const difference = (counts: (member: CountedMember) => boolean | null) =>
    Number(after !== undefined && counts(after) === true) -
    Number(before !== undefined && counts(before) === true);
  return {
    members: difference(() => true),
    blocked: difference(({ status }) => status === 'blocked'),
    paid: difference(({ paid }) => paid),
    verified: difference(({ verified }) => verified),
  };
}

type CountedMember = Pick<Member, 'status' | 'paid' | 'verified'>;

/** The fields of a member that events contain. */
export function memberEventFields({ id, email, displayName, status, paid }: Member | MemberWithGroups) {
  return { id, email, displayName, status, paid };
}

/** The text for searches: both values, separated and case-folded. */
export function searchTextOf(email: string, displayName: string | null): string {
  return displayName === null ? email : `${email}\n${foldCase(displayName)}`;
}

export function nameKeyOf(displayName: string | null): string | null {
  return displayName === null ? null : foldCase(displayName);
}

/** @throws {ApiError} `invalid_request` */
export function checkEmail(text: string): string {
  const email = normalizeEmail(text);
  if (email === null) throw invalidRequest('/email', `email: ${invalidEmailMessage}`);
  return email;
}

/** @throws {ApiError} `invalid_request` */
export function checkDisplayName(text: string | null): string | null {
  const displayName = normalizeDisplayName(text);
  if (displayName === undefined)
    throw invalidRequest('/displayName', `displayName: ${displayNameProblem(text)}`);
  return displayName;
}

/** Parses a time in the past; undefined when none is given. @throws {ApiError} `invalid_request` */
export function checkRegisteredAt(text: string | null, now: Timestamp): Timestamp | undefined {
  if (text === null) return undefined;
  const time = toPastTime(text, now);
  if (time === undefined)
    throw invalidRequest('/registeredAt', `registeredAt: ${invalidRegisteredAtMessage}`);
  return time;
}

/** The normalized form of a time that is not in the future; undefined for any other text. */
export function toPastTime(text: string, now: Timestamp): Timestamp | undefined {
  const time = parseDateTime(text);
  return time !== undefined && time <= now ? time : undefined;
}

export const invalidRegisteredAtMessage =
  'This time is in the future, before 1970, or not in RFC 3339. Use one such as 2026-01-31T09:30:00Z, or omit it.';

export const emailTakenMessage =
  'A member with this email address already exists. Use another one, or update that member.';

export function memberNotFound(): ApiError {
  return new ApiError('member_not_found', 'This site has no member with this ID. Check the ID.');
}

export function emailTaken(): ApiError {
  return new ApiError('email_taken', emailTakenMessage);
}
