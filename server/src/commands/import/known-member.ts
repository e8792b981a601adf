import { hash } from 'node:crypto';
import type { MemberStatus } from '@gatehouse/contract';
import { normalizeDisplayName } from '../../members/member.ts';
import type { PersonRow } from '../people-file/people-file.ts';

/** A member that the site has, as far as an import needs to know it. */
export interface KnownMember {
  readonly id: string;
  /** Stands for the display name: equal names have equal marks. */
  readonly nameMark: number;
  readonly paid: boolean | null;
  readonly status: MemberStatus;
  isIn(groupId: string): boolean;
}

/** The fields in which a row says something else than the member has. An empty cell says nothing. */
export function differencesOf(row: PersonRow, known: KnownMember): string[] {
  const { displayName, paid, status } = row;
  const name = displayName === undefined ? undefined : normalizeDisplayName(displayName);
  return [
    ...(displayName !== undefined && (name === undefined || nameMarkOf(name) !== known.nameMark)
      ? ['displayName']
      : []),
    ...(paid !== undefined && paid !== known.paid ? ['paid'] : []),
    ...(status !== undefined && status !== known.status ? ['status'] : []),
  ];
}

/** Tells names apart, in 32 bits. */
export function nameMarkOf(displayName: string | null): number {
  return hash('sha256', displayName ?? '', 'buffer').readUInt32BE();
}
