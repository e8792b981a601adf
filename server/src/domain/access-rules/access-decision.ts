import type { AccessDecision, AccessReason, AccessRule, Member, SiteStatus } from '@gatehouse/contract';
import { type AccessTree, findRule } from './access-tree.ts';
import { readRequestPath } from './request-path.ts';

/** The properties of a logged-in visitor that rules check. */
export interface VisitorState {
  readonly status: Member['status'];
  readonly paid: boolean | null;
  readonly groupIds: ReadonlySet<string> | readonly string[];
}

/**
 * Decides whether a visitor may access the target of a request.
 * @param target the path of the request with its query, exactly as the proxy received it
 * @param visitor null for an anonymous visitor
 */
export function decide(
  tree: AccessTree,
  target: string,
  visitor: VisitorState | null,
  siteStatus: SiteStatus,
): AccessDecision {
  if (siteStatus !== 'active') return { allowed: false, reason: 'site_suspended', rule: null };
  const path = readRequestPath(target);
  const rule = path && findRule(tree, path);
  if (rule === undefined) return { allowed: false, reason: 'ambiguous_path', rule: null };
  const reason = reasonOf(rule, visitor);
  return { allowed: allowingReasons.has(reason), reason, rule };
}

const allowingReasons: ReadonlySet<AccessReason> = new Set([
  'public',
  'member',
  'paying_member',
  'group_member',
]);

function reasonOf(rule: AccessRule | null, visitor: VisitorState | null): AccessReason {
  if (rule?.access === 'public') return 'public';
  if (!visitor) return 'anonymous';
  if (visitor.status !== 'active') return 'blocked';
  if (!rule || rule.access === 'members') return 'member';
  if (rule.access === 'paying_members') return visitor.paid === true ? 'paying_member' : 'not_paying';
  return rule.access === 'groups' && isInGroups(rule, visitor.groupIds) ? 'group_member' : 'not_in_groups';
}

function isInGroups(
  { groupIds, match }: Extract<AccessRule, { access: 'groups' }>,
  held: VisitorState['groupIds'],
): boolean {
  const has = (id: string) => ('has' in held ? held.has(id) : held.includes(id));
  // With `all`, a rule without groups would otherwise match everyone.
  if (match === 'all') return groupIds.length > 0 && groupIds.every(has);
  return groupIds.some(has);
}
