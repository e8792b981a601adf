import type { AccessCheck, AccessDecision } from '@gatehouse/contract';
import type { Timestamp } from '../base/clock.ts';
import { normalizeEmail } from '../members/email.ts';
import { selectMember, selectMemberByEmail } from '../members/member-store.ts';
import { selectGroupsOfMember } from '../members/membership-store.ts';
import { findSite } from '../sites/sites.ts';
import { type Queries, toBoolean } from '../storage/database.ts';
import { decide, type VisitorState } from './access-decision.ts';
import { findAccessTree } from './access-rules.ts';

/** Answers questions of the kind "may this member see this path", as the gate would. */
export async function checkAccess(
  db: Queries,
  siteId: string,
  checks: readonly AccessCheck[],
  now: Timestamp,
): Promise<AccessDecision[]> {
  const [site, tree] = await Promise.all([findSite(db, siteId), findAccessTree(db, siteId)]);
  const people = new Map<string, VisitorState | undefined>();
  const decisions: AccessDecision[] = [];
  for (const check of checks) {
    const { email, path } = check;
    const memberId = check.memberId?.toLowerCase();
    if (memberId === undefined && email === undefined) {
      decisions.push(decide(tree, path, null, site.status));
      continue;
    }
    const who = `${memberId ?? ''} ${email ?? ''}`;
    if (!people.has(who)) people.set(who, await findPerson(db, siteId, { memberId, email }, now));
    const person = people.get(who);
    decisions.push(
      person
        ? decide(tree, path, person, site.status)
        : { allowed: false, reason: 'unknown_member', rule: null },
    );
  }
  return decisions;
}

async function findPerson(
  db: Queries,
  siteId: string,
  { memberId, email }: Record<'memberId' | 'email', string | undefined>,
  now: Timestamp,
): Promise<VisitorState | undefined> {
  const address = email === undefined ? undefined : normalizeEmail(email);
  if (address === null) return undefined;
  const member =
    memberId === undefined
      ? await selectMemberByEmail(db, siteId, address!)
      : await selectMember(db, siteId, memberId);
  // Both given are one question only where they name one person.
  if (!member || (address !== undefined && member.email !== address)) return undefined;
  const groups = await selectGroupsOfMember(db, siteId, member.id, now);
  return {
    status: member.status as VisitorState['status'],
    paid: member.paid !== null && toBoolean(member.paid),
    groupIds: groups.map(({ id }) => id),
  };
}
