import type {
  BulkMemberUpdate,
  BulkUpdateErrorCode,
  BulkUpdateResultItem,
  BulkUpdateSummary,
} from '@gatehouse/contract';
import type { Change } from '../../domain/events/change.ts';
import { memberNotFound } from '../../domain/members/member.ts';
import { lockMembers } from '../../domain/members/member-lookup.ts';
import { MemberUpdates } from '../../domain/members/member-updates.ts';
import { InvalidValue, readChanges } from '../../domain/members/member-values.ts';
import type { OperationHandlers } from '../operation-handler.ts';

export const bulkUpdateHandlers = {
  bulkUpdateMembers: {
    changesMany: true,
    handle: async ({ change }, { body }) => ({ body: await bulkUpdateMembers(change, body.members) }),
  },
} satisfies OperationHandlers;

interface BulkUpdateResult {
  data: BulkUpdateResultItem[];
  summary: BulkUpdateSummary;
}

/** Updates many members, each with its own values, with a result for each item, in the given order. */
async function bulkUpdateMembers(
  change: Change,
  items: readonly BulkMemberUpdate[],
): Promise<BulkUpdateResult> {
  const submitted = items.map((item) => ({ ...item, id: item.id.toLowerCase() }));
  const ids = submitted.map(({ id }) => id);
  const updates = new MemberUpdates(change, await lockMembers(change, ids));
  const data = submitted.map((item) => applyItem(updates, item));
  await updates.store();
  return { data, summary: summaryOf(data) };
}

function applyItem(updates: MemberUpdates, item: BulkMemberUpdate): BulkUpdateResultItem {
  const { id, ...changes } = item;
  const before = updates.get(id);
  if (!before) return failed(id, 'member_not_found', memberNotFound().message);
  const values = readChanges(before, changes);
  if (values instanceof InvalidValue) return failed(id, values.code, values.message);
  const member = updates.apply(id, values);
  return member ? { id, status: 'updated', member } : { id, status: 'unchanged' };
}

function failed(id: string, code: BulkUpdateErrorCode, message: string): BulkUpdateResultItem {
  return { id, status: 'error', error: { code, message } };
}

function summaryOf(data: readonly BulkUpdateResultItem[]): BulkUpdateSummary {
  const count = (status: BulkUpdateResultItem['status']) =>
    data.filter((item) => item.status === status).length;
  return {
    total: data.length,
    updated: count('updated'),
    unchanged: count('unchanged'),
    failed: count('error'),
  };
}
