import type { AccessCheck, AccessDecision, AccessRule } from '@gatehouse/contract';
import { normalizeEmail } from '@gatehouse/contract/email-address';
import { invalidRequest } from '../../base/api-error.ts';
import { idsOf } from '../../base/ids.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { lookUpMember, lookUpMemberByEmail } from '../members/member-lookup.ts';
import { findGroupsOfMember } from '../memberships/memberships.ts';
import { findSite } from '../sites/sites.ts';
import { atNamedHost, hostOf } from '../sites/visited-site.ts';
import { findTreesToCheck } from './access-rules.ts';
import type { VisitorState } from './decision/access-conditions.ts';
import { decide, denied } from './decision/access-decision.ts';
import { treeAt } from './decision/access-trees.ts';
import { EnteredCodes } from './entered-codes.ts';
import { toPageRequest } from './page-request.ts';

/**
 * Answers whether a member may access a path, exactly as the gate would.
 * @param rules decide instead of the saved ones
 * @throws {ApiError} `invalid_request`; with rules also `access_group_not_found`, `page_code_not_found`
 */
export async function checkAccess(
  view: SiteView,
  checks: readonly AccessCheck[],
  rules?: readonly AccessRule[],
): Promise<AccessDecision[]> {
  const [site, trees] = await Promise.all([findSite(view), findTreesToCheck(view, rules)]);
  const visitors = new Map<string, VisitorState | undefined>();
  const decisions: AccessDecision[] = [];
  for (const [index, check] of checks.entries()) {
    const { email } = check;
    const request = {
      ...toPageRequest(check, check.path, view.now, `/checks/${index}`),
      pageCodes: new EnteredCodes(
        (check.pageCodeIds ?? []).map((id) => ({ id: id.toLowerCase(), label: '' })),
      ),
    };
    const tree = treeAt(trees, hostOf(atNamedHost(site, check.host, `/checks/${index}/host`)));
    if (check.preflight && (check.memberId !== undefined || email !== undefined)) {
      throw invalidRequest(
        `/checks/${index}/preflight`,
        'Browsers send preflights without cookies, so that they have no member. Leave out the member.',
      );
    }
    const memberId = check.memberId?.toLowerCase();
    if (memberId === undefined && email === undefined) {
      decisions.push(decide(tree, request, null, site.status));
      continue;
    }
    const who = `${memberId ?? ''} ${email ?? ''}`;
    if (!visitors.has(who)) visitors.set(who, await findCheckedMember(view, { memberId, email }));
    const visitor = visitors.get(who);
    decisions.push(visitor ? decide(tree, request, visitor, site.status) : denied('unknown_member'));
  }
  return decisions;
}

async function findCheckedMember(
  view: SiteView,
  { memberId, email }: Record<'memberId' | 'email', string | undefined>,
): Promise<VisitorState | undefined> {
  const address = email === undefined ? undefined : normalizeEmail(email);
  if (address === null) return undefined;
  const member =
    memberId === undefined ? await lookUpMemberByEmail(view, address!) : await lookUpMember(view, memberId);
  // When both the id and the email are given, they must belong to the same member.
  if (!member || (address !== undefined && member.email !== address)) return undefined;
  const groups = await findGroupsOfMember(view, member.id);
  return {
    status: member.status,
    paid: member.paid === true,
    groupIds: idsOf(groups),
  };
}
