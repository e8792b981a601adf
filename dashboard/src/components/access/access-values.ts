import type { AccessAlternative, AccessLevel, AccessRule, GroupMatch } from '@gatehouse/client';

/** Who has access according to a rule, except for the alternatives of a conditional one. */
export interface AccessValues {
  access: AccessLevel;
  groupIds: string[];
  match: GroupMatch;
  /** The codes of a rule for page codes. For other rules, those that also give access. */
  pageCodeIds: string[];
}

/** The access beside which a rule can also accept a page code. */
const combinable = ['members', 'paying_members', 'groups'] as const;

export function isCombinable(access: AccessLevel): access is (typeof combinable)[number] {
  return combinable.some((each) => each === access);
}

/** Reads "members, or a page code", which is stored as two alternatives, as members who need no code. */
export function toAccessValues(rule: AccessRule): AccessValues {
  const none: AccessValues = { access: rule.access, groupIds: [], match: 'any', pageCodeIds: [] };
  if (rule.access === 'groups') return { ...none, groupIds: rule.groupIds, match: rule.match ?? 'any' };
  if (rule.access === 'code') return { ...none, pageCodeIds: rule.pageCodeIds };
  if (rule.access !== 'conditional' || rule.anyOf.length !== 2) return none;
  const [who, code] = rule.anyOf as [AccessAlternative, AccessAlternative];
  const { access, groupIds = [], match = 'any' } = who;
  const isPlain = isUnlimited(who) && isUnlimited(code) && code.access === 'code';
  if (!isPlain || !isCombinable(access) || !code.pageCodeIds) return none;
  const { pageCodeIds } = code;
  if (groupIds.length === 0) return { ...none, access, pageCodeIds };
  return access === 'members' ? { access: 'groups', groupIds, match, pageCodeIds } : none;
}

/** The alternatives for those who have access, or have entered one of the codes. */
export function orCode({ access, groupIds, match, pageCodeIds }: AccessValues): AccessAlternative[] {
  const who = access === 'groups' ? { access: 'members' as const, groupIds, match } : { access };
  return [who as AccessAlternative, { access: 'code', pageCodeIds: [...pageCodeIds] }];
}

function isUnlimited({ from, until, networks = [] }: AccessAlternative): boolean {
  return from === undefined && until === undefined && networks.length === 0;
}
