import type { AccessRule } from '@gatehouse/contract';
import { isWildcard, namedPart } from '@gatehouse/contract/rule-paths';
import { memberPages } from '../sites/page-addresses.ts';
import { decide } from './decision/access-decision.ts';
import { compileAccessTrees, treeAt } from './decision/access-trees.ts';

/** A name of pages that need not exist, so that no rule has it. */
const anyName = 'gatehouse-check';

/**
 * A path for which an anonymous visitor has to log in, wherever the visitor is; undefined if there is none.
 * @param domain that of a host of the site; null for a site without one
 * @param time in milliseconds since 1970
 */
export function findMembersPath(
  rules: readonly AccessRule[],
  domain: string | null,
  time: number,
): string | undefined {
  const tree = treeAt(compileAccessTrees(rules), domain);
  return ['/', ...rules.flatMap(pathsOf), `/${anyName}`].find((path) => {
    const target = encodeURI(path);
    const request = {
      target,
      method: () => 'GET',
      isPreflight: () => false,
      time,
      ipAddress: () => undefined,
    };
    const { reason, rule } = decide(tree, request, null, 'active');
    return reason === 'anonymous' && !isOpenToNetworks(rule) && !path.startsWith(memberPages.prefix);
  });
}

/** The path of a rule, and one below it. */
function pathsOf({ path }: AccessRule): string[] {
  if (path === '/') return [];
  return isWildcard(path) ? [namedPart(path) + anyName] : [path, `${path}/${anyName}`];
}

function isOpenToNetworks(rule: AccessRule | null): boolean {
  return rule?.access === 'conditional' && rule.anyOf.some(({ networks }) => networks !== undefined);
}
