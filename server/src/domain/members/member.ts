import type { Member, MemberWithGroups } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { toBoolean } from '../../storage/database.ts';
import type { MemberCounts } from '../events/site-counts.ts';

type StoredBoolean = boolean | number | null;

/** What stores return differently: SQLite has no booleans. */
interface StoredBooleans {
  verified: StoredBoolean;
  paid: StoredBoolean;
}

/** A member as the store returns it. */
export type MemberRow = Omit<Member, keyof StoredBooleans> & StoredBooleans;

/** The row itself becomes the member. */
export function toMember<Row extends StoredBooleans>(row: Row): Row & Pick<Member, 'verified' | 'paid'> {
  if (row.verified !== null) row.verified = toBoolean(row.verified);
  if (row.paid !== null) row.paid = toBoolean(row.paid);
  return row as Row & Pick<Member, 'verified' | 'paid'>;
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

export const emailTakenMessage =
  'A member with this email address already exists. Use another one, or update that member.';

export function memberNotFound(): ApiError {
  return new ApiError('member_not_found', 'This site has no member with this ID. Check the ID.');
}

export function emailTaken(): ApiError {
  return new ApiError('email_taken', emailTakenMessage);
}
