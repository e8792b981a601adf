import type { BulkMember, BulkResultItem, BulkSummary } from '@gatehouse/contract';
import { normalizeEmail } from '@gatehouse/contract/email-address';
import { grants } from '@gatehouse/contract/permissions';
import { requireCustomGroups } from '../../domain/access-groups/access-groups.ts';
import type { Change } from '../../domain/events/change.ts';
import { emailTakenMessage } from '../../domain/members/member.ts';
import { lookUpMembersByEmail } from '../../domain/members/member-lookup.ts';
import { InvalidValue, type MemberDraft, readDraft } from '../../domain/members/member-values.ts';
import { createMembers } from '../../domain/members/new-members.ts';
import type { OperationHandlers } from '../operation-handler.ts';

export const bulkMemberHandlers = {
  bulkCreateMembers: {
    changesMany: true,
    handle: async ({ change, permissions }, { body }) => {
      const result = await bulkCreateMembers(change, body.members, body.accessGroupIds ?? []);
      return {
        body: grants(permissions, 'members:read') ? await withExistingMembers(change, result) : result,
      };
    },
  },
} satisfies OperationHandlers;

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
  items: readonly BulkMember[],
  accessGroupIds: readonly string[],
): Promise<BulkResult> {
  const groupIds = [...new Set(accessGroupIds)];
  await requireCustomGroups(change, groupIds);
  const checked = items.map((item) => readDraft(item, change.now));
  const drafts = checked.filter((item): item is MemberDraft => !(item instanceof InvalidValue));
  const members = (await createMembers(change, drafts, groupIds))[Symbol.iterator]();

  const data = items.map(({ email }, index): BulkResultItem => {
    const item = checked[index]!;
    if (item instanceof InvalidValue) {
      const { code, message } = item;
      return { email, status: 'error', error: { code, message } };
    }
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
