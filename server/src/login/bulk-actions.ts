import type {
  BulkAction,
  BulkActionErrorCode,
  BulkActionResultItem,
  BulkActionSummary,
  BulkMemberActions,
  Member,
} from '@gatehouse/contract';
import { lockCustomGroup } from '../access-groups/access-groups.ts';
import type { Cause } from '../base/cause.ts';
import type { EmailLimits } from '../base/email-limits.ts';
import type { Refusal } from '../base/refusal.ts';
import { lockOpenLinks } from '../credentials/login-link-store.ts';
import { chargeSentEmails } from '../email-budgets/email-budgets.ts';
import type { NewEvent } from '../events/event.ts';
import { recordEvents } from '../events/events.ts';
import { memberNotFound, toMember } from '../members/member.ts';
import { lockMemberRows } from '../members/member-store.ts';
import { changeMember, type MemberChanges, prepareRemoval, removeMember } from '../members/members.ts';
import { checkExpiry, joinGroup, leaveGroup, setMembershipEnds } from '../members/memberships.ts';
import type { Transaction } from '../storage/database.ts';
import { makeLoginLink, memberBlocked, requireSiteWithDomain } from './member-login-links.ts';
import { findTooManyLinks } from './operator-links.ts';

export interface BulkActionResult {
  data: BulkActionResultItem[];
  summary: BulkActionSummary;
}

/**
 * Does one thing to many members, with a result for each, in the order given.
 * @throws Refusal `invalid_request`, `access_group_not_found`, `scope_group_read_only`,
 *   `site_domain_missing`; then nothing is done
 */
export async function bulkMemberActions(
  tx: Transaction,
  siteId: string,
  { memberIds, action }: BulkMemberActions,
  cause: Cause,
  limits: EmailLimits,
): Promise<BulkActionResult> {
  const ids = [...new Set(memberIds)];
  // Locks are taken in one order everywhere: members, then email budgets, groups, and the event feed last.
  const rows = await lockMemberRows(tx, siteId, ids);
  const members = new Map(rows.map((row) => [row.id, toMember(row)]));
  const tooMany =
    action.type === 'send_login_link' ? await findTooManyLinks(tx, siteId, ids, cause) : new Map();
  const refusals = new Map(ids.map((id) => [id, refusalFor(action, members.get(id), tooMany.get(id))]));
  const accepted = () => [...members.values()].filter(({ id }) => !refusals.get(id));
  const exhausted =
    action.type === 'send_login_link'
      ? await withholdLinks(tx, siteId, accepted(), refusals, limits, cause)
      : [];
  const events = await act(tx, siteId, accepted(), action, cause);
  await recordEvents(tx, siteId, cause, [...events, ...exhausted]);

  const done = new Set(events.map(({ memberId }) => memberId));
  const formerEnds = formerEndsIn(events);
  const data = ids.map((memberId): BulkActionResultItem => {
    const refusal = refusals.get(memberId);
    if (refusal) return { memberId, status: 'error', error: refusal };
    const previousExpiresAt = formerEnds.get(memberId);
    if (previousExpiresAt !== undefined) return { memberId, status: 'done', previousExpiresAt };
    return { memberId, status: done.has(memberId) ? 'done' : 'unchanged' };
  });
  return { data, summary: summaryOf(data) };
}

/** When the memberships would have ended whose end was changed, by member. */
function formerEndsIn(events: readonly NewEvent[]): ReadonlyMap<string, string | null> {
  return new Map(
    events.flatMap((event) =>
      event.type === 'access-group.member.updated'
        ? [[event.data.memberId, event.data.changes[0]!.from as string | null]]
        : [],
    ),
  );
}

/** Refuses a link to those who were sent enough of them. Gives the events to record. */
async function withholdLinks(
  tx: Transaction,
  siteId: string,
  members: readonly Member[],
  refusals: Map<string, ReturnType<typeof toError> | undefined>,
  limits: EmailLimits,
  cause: Cause,
): Promise<readonly NewEvent[]> {
  const { withheld, events } = await chargeSentEmails(tx, siteId, 'login_link', members, limits, cause);
  for (const [id, refusal] of withheld) refusals.set(id, toError('email_budget_exhausted', refusal));
  return events;
}

/** Does it to members whose rows are locked. Gives the events to record: none for one who was left as before. */
async function act(
  tx: Transaction,
  siteId: string,
  members: readonly Member[],
  action: BulkAction,
  cause: Cause,
): Promise<NewEvent[]> {
  const ids = members.map(({ id }) => id);
  const emails = members.map(({ email }) => email);
  switch (action.type) {
    case 'block':
      await lockOpenLinks(tx, siteId, emails, ids);
      return changeEach(tx, siteId, members, { status: 'blocked' }, cause);
    case 'unblock':
      return changeEach(tx, siteId, members, { status: 'active' }, cause);
    case 'set_paid':
      return changeEach(tx, siteId, members, { paid: action.paid }, cause);
    case 'send_login_link': {
      const site = await requireSiteWithDomain(tx, siteId);
      await lockOpenLinks(tx, siteId, emails);
      return inTurn(members, async (member) => [
        (await makeLoginLink(tx, site, member, { send: true }, cause.at)).event,
      ]);
    }
    case 'delete':
      await prepareRemoval(tx, siteId, members, cause.at);
      return inTurn(members, async (member) => [await removeMember(tx, siteId, member, cause.at)]);
    case 'add_to_group': {
      const expiry = checkExpiry('/action/expiresAt', action.expiresAt ?? null, cause.at);
      const groupId = action.groupId.toLowerCase();
      await lockCustomGroup(tx, siteId, groupId, cause.at);
      const joined = await joinGroup(tx, siteId, groupId, ids, expiry, cause);
      if (action.expiresAt === undefined) return joined;
      const added = new Set(joined.map(({ memberId }) => memberId));
      const others = ids.filter((id) => !added.has(id));
      return [...joined, ...(await setMembershipEnds(tx, siteId, groupId, others, expiry, cause.at))];
    }
    case 'remove_from_group': {
      const groupId = action.groupId.toLowerCase();
      await lockCustomGroup(tx, siteId, groupId, cause.at);
      return leaveGroup(tx, siteId, groupId, ids, cause.at);
    }
  }
}

function changeEach(
  tx: Transaction,
  siteId: string,
  members: readonly Member[],
  changes: MemberChanges,
  cause: Cause,
): Promise<NewEvent[]> {
  return inTurn(
    members,
    async (member) => (await changeMember(tx, siteId, member, changes, cause.at)).events,
  );
}

async function inTurn(
  members: readonly Member[],
  deed: (member: Member) => Promise<readonly NewEvent[]>,
): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (const member of members) events.push(...(await deed(member)));
  return events;
}

function refusalFor(action: BulkAction, member: Member | undefined, tooMany: Refusal | undefined) {
  if (!member) return toError('member_not_found', memberNotFound());
  if (action.type === 'send_login_link' && member.status === 'blocked') {
    return toError('member_blocked', memberBlocked());
  }
  return tooMany && toError('rate_limited', tooMany);
}

function toError(code: BulkActionErrorCode, { message }: Refusal) {
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
