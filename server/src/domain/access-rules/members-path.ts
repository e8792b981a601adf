import type { AccessRule } from '@gatehouse/contract';
import { namedPart } from '@gatehouse/contract/rule-paths';
import { decide } from './decision/access-decision.ts';
import { compileAccessTree } from './decision/access-tree.ts';

/** A page that need not exist. It follows the rule for everything without an own rule. */
const anyPage = '/gatehouse-check';

/**
 * A path for which an anonymous visitor has to log in; undefined if every path with a rule is public.
 * @param time in milliseconds since 1970
 */
export function findMembersPath(rules: readonly AccessRule[], time: number): string | undefined {
  const tree = compileAccessTree(rules);
  const candidates = ['/', ...rules.map(({ path }) => namedPart(path)), anyPage];
  return candidates.find((path) => {
    const request = { target: encodeURI(path), method: 'GET', time, clientAddress: () => undefined };
    return decide(tree, request, null, 'active').reason === 'anonymous';
  });
}
