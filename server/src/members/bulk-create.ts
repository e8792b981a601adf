import type { BulkErrorCode, BulkResultItem, BulkSummary } from '@gatehouse/contract';
import { requireCustomGroups } from '../access-groups/access-groups.ts';
import type { Cause } from '../base/cause.ts';
import type { Transaction } from '../storage/database.ts';
import { normalizeEmail } from './email.ts';
import {
  displayNameProblem,
  emailTakenMessage,
  invalidEmailMessage,
  normalizeDisplayName,
} from './member.ts';
import { addPeople, type Person } from './new-members.ts';

export interface BulkItem {
  readonly email: string;
  readonly displayName?: string | null;
  readonly paid?: boolean;
}

export interface BulkResult {
  data: BulkResultItem[];
  summary: BulkSummary;
}

/**
 * Creates many members, in the order given, with a result for each. Those that pass are written together.
 * @throws Refusal `access_group_not_found`, `scope_group_read_only`; then nothing is created
 */
export async function bulkCreateMembers(
  tx: Transaction,
  siteId: string,
  items: readonly BulkItem[],
  accessGroupIds: readonly string[],
  cause: Cause,
): Promise<BulkResult> {
  const groupIds = [...new Set(accessGroupIds)];
  await requireCustomGroups(tx, siteId, groupIds);
  const checked = items.map(checkItem);
  const people = checked.filter((item): item is Person => !('error' in item));
  const members = (await addPeople(tx, siteId, people, groupIds, cause))[Symbol.iterator]();

  const data = items.map(({ email }, index): BulkResultItem => {
    const item = checked[index]!;
    if ('error' in item) return { email, status: 'error', error: item.error };
    const member = members.next().value;
    if (member) return { email, status: 'created', member };
    return { email, status: 'conflict', error: { code: 'email_taken', message: emailTakenMessage } };
  });
  const created = data.filter(({ status }) => status === 'created').length;
  return { data, summary: { total: items.length, created, failed: items.length - created } };
}

function checkItem({
  email,
  displayName,
  paid,
}: BulkItem): Person | { error: { code: BulkErrorCode; message: string } } {
  const normalized = normalizeEmail(email);
  if (normalized === null) return { error: { code: 'invalid_email', message: invalidEmailMessage } };
  const name = normalizeDisplayName(displayName ?? null);
  if (name === undefined)
    return { error: { code: 'invalid_display_name', message: displayNameProblem(displayName ?? null)! } };
  return { email: normalized, displayName: name, paid: paid ?? false };
}
