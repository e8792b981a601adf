import type { AccessAlternative, AccessRule } from '@gatehouse/client';
import { placeKey } from '@gatehouse/contract/rule-paths';

/** The places, by `placeKey`, whose rules differ. */
export function changedPlaces(
  before: readonly AccessRule[],
  after: readonly AccessRule[],
): ReadonlySet<string> {
  const [was, is] = [before, after].map(
    (rules) => new Map(rules.map((rule) => [placeKey(rule), toText(rule)])),
  );
  const keys = [...was!.keys(), ...is!.keys()];
  return new Set(keys.filter((key) => was!.get(key) !== is!.get(key)));
}

/** A text that is the same for two rules of a place if they decide in the same way. */
function toText(rule: AccessRule): string {
  return JSON.stringify([
    rule.access,
    (rule.queryParameters ?? []).toSorted(),
    rule.acceptsTokenInUrl === true,
    rule.programPaths === true,
    rule.preflights === true,
    rule.access === 'groups' ? groupsIn(rule) : null,
    rule.access === 'code' ? rule.pageCodeIds.toSorted() : null,
    rule.access === 'conditional' ? rule.anyOf.map(inOrder) : null,
  ]);
}

function inOrder(alternative: AccessAlternative) {
  const { access, pageCodeIds = [], from, until, networks = [] } = alternative;
  return [access, groupsIn(alternative), pageCodeIds.toSorted(), from, until, networks.toSorted()];
}

function groupsIn({ groupIds = [], match = 'any' }: Pick<AccessAlternative, 'groupIds' | 'match'>) {
  return groupIds.length === 0 ? null : [match, ...groupIds.toSorted()];
}
