import type { AccessRule } from '@gatehouse/contract';
import { placeKey } from '@gatehouse/contract/rule-paths';
import { type AccessTree, compileAccessTree } from './access-tree.ts';

/** The compiled rules of a site, for each of its hosts. */
export interface AccessTrees {
  /** The rules of a host that no rule names. */
  readonly general: AccessTree;
  /** By domain. */
  readonly byHost: ReadonlyMap<string, AccessTree>;
}

/** Builds the trees, once for each change of the rules. The rules must have passed `checkAccessRules`. */
export function compileAccessTrees(rules: readonly AccessRule[]): AccessTrees {
  const domains = new Set(rules.flatMap(({ hosts = [] }) => hosts));
  return {
    general: compileAccessTree(rules.filter(({ hosts }) => hosts === undefined)),
    byHost: new Map([...domains].map((domain) => [domain, compileAccessTree(rulesAt(rules, domain))])),
  };
}

/** The tree that applies at a host. @param domain null for a site without a domain */
export function treeAt({ general, byHost }: AccessTrees, domain: string | null): AccessTree {
  return (domain === null ? undefined : byHost.get(domain)) ?? general;
}

/**
 * The rules that apply at a host. A rule that names it replaces the rule for all hosts, and a rule for a folder also the
 * one for only its page: otherwise that one would still open the page.
 */
function rulesAt(rules: readonly AccessRule[], domain: string): AccessRule[] {
  const own = rules.filter(({ hosts }) => hosts?.includes(domain));
  const places = new Set(own.map(placeOf));
  const folders = new Set(own.filter(({ appliesTo }) => appliesTo !== 'page').map(({ path }) => path));
  const general = rules.filter(
    (rule) => rule.hosts === undefined && !places.has(placeOf(rule)) && !folders.has(rule.path),
  );
  return [...general, ...own];
}

function placeOf({ path, appliesTo }: AccessRule): string {
  return placeKey({ path, ...(appliesTo && { appliesTo }) });
}
