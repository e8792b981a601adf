import type { BulkErrorCode, BulkResultItem, BulkSummary } from '@gatehouse/contract';
import { invalidEmailMessage, normalizeEmail } from '@gatehouse/contract/email-address';
import { displayNameProblem, normalizeDisplayName } from '@gatehouse/contract/names';
import { grants } from '@gatehouse/contract/permissions';
import type { Timestamp } from '../../base/clock.ts';
import { requireCustomGroups } from '../../domain/access-groups/access-groups.ts';
import type { Change } from '../../domain/events/change.ts';
import { emailTakenMessage, invalidRegisteredAtMessage, toPastTime } from '../../domain/members/member.ts';
import { lookUpMembersByEmail } from '../../domain/members/member-lookup.ts';
import { createMembers, type MemberDraft } from '../../domain/members/new-members.ts';
import type { OperationHandlers } from '../operation-handler.ts';

export const bulkMemberHandlers = {
  bulkCreateMembers: async ({ change, permissions }, { body }) => {
    const result = await bulkCreateMembers(change, body.members, body.accessGroupIds ?? []);
    return { body: grants(permissions, 'members:read') ? await withExistingMembers(change, result) : result };
  },
} satisfies OperationHandlers;

export interface BulkItem {
  readonly email: string;
  readonly displayName?: string | null;
  readonly paid?: boolean;
  readonly registeredAt?: string | null;
}

export interface BulkResult {
  data: BulkResultItem[];
  summary: BulkSummary;
}

/**
 * Creates many members, in the given order, with a result for each. Valid members are written together.
 * @throws {ApiError} `access_group_not_found`, `scope_group_read_only`; nothing is created then
 */
export async function bulkCreateMembers(
  change: Change,
  items: readonly BulkItem[],
  accessGroupIds: readonly string[],
): Promise<BulkResult> {
  const groupIds = [...new Set(accessGroupIds)];
  await requireCustomGroups(change, groupIds);
  const checked = items.map((item) => checkItem(item, change.now));
  const drafts = checked.filter((item): item is MemberDraft => !('error' in item));
  const members = (await createMembers(change, drafts, groupIds))[Symbol.iterator]();

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

/** Adds to each conflict which member has the address. That member may be deleted in the meantime. */
async function withExistingMembers(change: Change, result: BulkResult): Promise<BulkResult> {
  const addressOf = ({ email, status }: BulkResultItem) =>
    status === 'conflict' ? normalizeEmail(email) : null;
  const taken = new Set(result.data.map(addressOf).filter((address) => address !== null));
  if (taken.size === 0) return result;
  const existing = await lookUpMembersByEmail(change, [...taken]);
  const idByAddress = new Map(existing.map(({ id, email }) => [email, id]));
  const data = result.data.map((item) => {
    const existingMemberId = idByAddress.get(addressOf(item) ?? '');
    return existingMemberId === undefined ? item : { ...item, existingMemberId };
  });
  return { ...result, data };
}

function checkItem(
  { email, displayName = null, paid = false, registeredAt = null }: BulkItem,
  now: Timestamp,
): MemberDraft | { error: { code: BulkErrorCode; message: string } } {
  const normalized = normalizeEmail(email);
  if (normalized === null) return { error: { code: 'invalid_email', message: invalidEmailMessage } };
  const name = normalizeDisplayName(displayName);
  if (name === undefined)
    return { error: { code: 'invalid_display_name', message: displayNameProblem(displayName)! } };
  const registered = registeredAt === null ? undefined : toPastTime(registeredAt, now);
  if (registeredAt !== null && registered === undefined)
    return { error: { code: 'invalid_registered_at', message: invalidRegisteredAtMessage } };
  return { email: normalized, displayName: name, paid, registeredAt: registered };
}
