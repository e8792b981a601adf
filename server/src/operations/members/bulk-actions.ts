import type {
  BulkAction,
  BulkActionErrorCode,
  BulkActionResultItem,
  BulkActionSummary,
  BulkMemberActions,
  Member,
} from '@gatehouse/contract';
import type { ApiError } from '../../base/api-error.ts';
import { lockCustomGroup } from '../../domain/access-groups/access-groups.ts';
import { chargeSentEmails } from '../../domain/emails/email-budgets.ts';
import type { EmailComposer, EmailContext } from '../../domain/emails/email-composer.ts';
import type { Change } from '../../domain/events/change.ts';
import { memberBlocked, sendLoginLinks } from '../../domain/logins/member-login-links.ts';
import { findTooManyLinks } from '../../domain/logins/operator-link-limit.ts';
import { memberNotFound } from '../../domain/members/member.ts';
import { lockMembers } from '../../domain/members/member-lookup.ts';
import { updateMembers } from '../../domain/members/member-updates.ts';
import { deleteMembers } from '../../domain/members/members.ts';
import {
  addMemberships,
  checkExpiry,
  removeMemberships,
  setMembershipEnds,
} from '../../domain/memberships/memberships.ts';

import type { OperationHandlers } from '../operation-handler.ts';

export const bulkActionHandlers = {
  bulkMemberActions: {
    changesMany: true,
    queues: 'emails',
    handle: async ({ change, emails }, { body }) => ({ body: await bulkMemberActions(change, body, emails) }),
  },
} satisfies OperationHandlers;

interface BulkActionResult {
  data: BulkActionResultItem[];
  summary: BulkActionSummary;
}

/**
 * Applies one action to many members, with a result for each, in the given order.
 * @throws {ApiError} `invalid_request`, `access_group_not_found`, `scope_group_read_only`, `site_domain_missing`;
 * nothing is changed then
 */
async function bulkMemberActions(
  change: Change,
  { memberIds, action }: BulkMemberActions,
  { composer, limits }: EmailContext,
): Promise<BulkActionResult> {
  const ids = [...new Set(memberIds)];
  // Locks are taken in one order everywhere: members, then email budgets, emails, links and groups.
  const members = new Map((await lockMembers(change, ids)).map((member) => [member.id, member]));
  const isLink = action.type === 'send_login_link';
  const tooMany = isLink ? await findTooManyLinks(change, ids, change.context) : new Map();
  const errors = new Map(ids.map((id) => [id, errorFor(action, members.get(id), tooMany.get(id))]));
  const accepted = () => [...members.values()].filter(({ id }) => !errors.get(id));
  if (isLink) {
    const withheld = await chargeSentEmails(change, 'login_link', accepted(), limits);
    for (const [{ id }, error] of withheld) errors.set(id, toError('email_budget_exhausted', error));
  }
  const { done, formerEnds = new Map<string, string | null>() } = await act(
    change,
    accepted(),
    action,
    composer,
  );

  const data = ids.map((memberId): BulkActionResultItem => {
    const error = errors.get(memberId);
    if (error) return { memberId, status: 'error', error };
    const previousExpiresAt = formerEnds.get(memberId);
    if (previousExpiresAt !== undefined) return { memberId, status: 'done', previousExpiresAt };
    return { memberId, status: done.has(memberId) ? 'done' : 'unchanged' };
  });
  return { data, summary: summaryOf(data) };
}

/** The result of an action. */
interface Done {
  /** The members that were changed. */
  readonly done: ReadonlySet<string>;
  /** The previous end of each membership whose end was changed, by member. */
  readonly formerEnds?: ReadonlyMap<string, string | null>;
}

/** Applies the action to members whose rows are locked. */
async function act(
  change: Change,
  members: readonly Member[],
  action: BulkAction,
  composer: EmailComposer,
): Promise<Done> {
  const { now } = change;
  const ids = members.map(({ id }) => id);
  switch (action.type) {
    case 'block':
      return changed(await updateMembers(change, members, { status: 'blocked' }));
    case 'unblock':
      return changed(await updateMembers(change, members, { status: 'active' }));
    case 'set_paid':
      return changed(await updateMembers(change, members, { paid: action.paid }));
    case 'send_login_link':
      await sendLoginLinks(change, members, composer);
      return changed(members);
    case 'delete':
      await deleteMembers(change, members);
      return changed(members);
    case 'add_to_group': {
      const expiresAt = checkExpiry('/action/expiresAt', action.expiresAt ?? null, now);
      const groupId = action.groupId.toLowerCase();
      await lockCustomGroup(change, groupId);
      const added = new Set((await addMemberships(change, [groupId], ids, expiresAt)).map(memberOf));
      if (action.expiresAt === undefined) return { done: added };
      const others = ids.filter((id) => !added.has(id));
      return { done: added, formerEnds: await setMembershipEnds(change, groupId, others, expiresAt) };
    }
    case 'set_end_in_group': {
      const expiresAt = checkExpiry('/action/expiresAt', action.expiresAt, now);
      const groupId = action.groupId.toLowerCase();
      await lockCustomGroup(change, groupId);
      return { done: new Set(), formerEnds: await setMembershipEnds(change, groupId, ids, expiresAt) };
    }
    case 'remove_from_group': {
      const groupId = action.groupId.toLowerCase();
      await lockCustomGroup(change, groupId);
      return { done: new Set(await removeMemberships(change, groupId, ids)) };
    }
  }
}

function changed(members: readonly Member[]): Done {
  return { done: new Set(members.map(({ id }) => id)) };
}

function memberOf({ memberId }: { readonly memberId: string }): string {
  return memberId;
}

function errorFor(action: BulkAction, member: Member | undefined, tooMany: ApiError | undefined) {
  if (!member) return toError('member_not_found', memberNotFound());
  if (action.type === 'send_login_link' && member.status === 'blocked') {
    return toError('member_blocked', memberBlocked());
  }
  return tooMany && toError('rate_limited', tooMany);
}

function toError(code: BulkActionErrorCode, { message }: ApiError) {
  return { code, message };
}

function summaryOf(data: readonly BulkActionResultItem[]): BulkActionSummary {
  const count = (status: BulkActionResultItem['status']) =>
    data.filter((item) => item.status === status).length;
  return {
    total: data.length,
    done: count('done'),
    unchanged: count('unchanged'),
    failed: count('error'),
  };
}
