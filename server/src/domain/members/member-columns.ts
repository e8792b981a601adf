import type { Member, MemberSortField } from '@gatehouse/contract';
import { foldCase } from '../../base/text/text.ts';

/** The column of each field of a member, in the order of `Member`. */
export const columnOf: Readonly<Record<keyof Member, string>> = {
  id: 'id',
  email: 'email',
  displayName: 'display_name',
  status: 'status',
  verified: 'verified',
  paid: 'paid',
  registeredAt: 'registered_at',
  lastLoginAt: 'last_login_at',
  lastSeenAt: 'last_seen_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

/** The column that each order sorts by; null for the id, which is the order of creation. */
export const sortColumns: Readonly<Record<MemberSortField, string | null>> = {
  createdAt: null,
  updatedAt: 'updated_at',
  registeredAt: 'registered_at',
  lastLoginAt: 'last_login_at',
  email: 'email',
  displayName: 'name_key',
};

/** The texts of a member. */
export type MemberTexts = Pick<Member, 'email'> & Partial<Pick<Member, 'displayName'>>;

/** The columns that are stored, searched or sorted by for the texts of a member beside the email address. */
export const textColumns: readonly {
  readonly name: string;
  readonly value: (member: MemberTexts) => string | null;
}[] = [
  { name: 'display_name', value: ({ displayName = null }) => displayName },
  { name: 'name_key', value: ({ displayName = null }) => nameKeyOf(displayName) },
  { name: 'search_text', value: searchTextOf },
];

/** The text for searches: every value, separated and case-folded. */
export function searchTextOf({ email, displayName = null }: MemberTexts): string {
  return displayName === null ? email : `${email}\n${foldCase(displayName)}`;
}

/** What lists are sorted by for a name. */
export function nameKeyOf(name: string | null): string | null {
  return name === null ? null : foldCase(name);
}
