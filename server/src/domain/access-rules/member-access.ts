import type { RuleDecision } from '@gatehouse/contract';
import { idsOf } from '../../base/ids.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { findMember } from '../members/members.ts';
import { findSite } from '../sites/sites.ts';
import { findAccessRules } from './access-rules.ts';
import { decideByRules } from './decision/access-decision.ts';
import { toPageRequest } from './page-request.ts';

/**
 * Whether a member meets the requirements of each rule, decided like a request to which only this rule applies.
 * @throws {ApiError} `member_not_found`
 */
export async function findMemberAccess(view: SiteView, memberId: string): Promise<RuleDecision[]> {
  const [site, { rules }, member] = await Promise.all([
    findSite(view),
    findAccessRules(view),
    findMember(view, memberId),
  ]);
  const { status, paid, accessGroups } = member;
  const visitor = { status, paid: paid === true, groupIds: idsOf(accessGroups) };
  return rules.map((rule) => {
    const request = toPageRequest({}, rule.path, view.now, '');
    const onlyThis = { page: undefined, folder: rule };
    const { allowed, reason, alternatives } = decideByRules(onlyThis, request, visitor, site.status);
    return { rule, allowed, reason, alternatives };
  });
}
