import type { AccessRule } from '@gatehouse/contract';
import { countRuleNames, placeKey } from '@gatehouse/contract/rule-paths';
import { CostBoundedMap } from '../../../base/caches/cost-bounded-map.ts';
import { type AccessTree, compileAccessTree, compileHostTree } from './access-tree.ts';

/**
 * The highest cost of the trees of hosts that a site has in memory. Only rules that were stored before their names were
 * limited reach it.
 */
const maxHostTreesCost = 50_000;
/** A rule with this number of characters takes about as much memory as a node: 300 bytes. */
const charactersPerNode = 100;

/** The rules that name a host. */
interface HostRules {
  /** The same for hosts with the same rules, which share a tree. */
  readonly key: string;
  readonly own: readonly AccessRule[];
}

/** The compiled rules of a site, for each of its hosts. */
export interface AccessTrees {
  /** The rules of a host that no rule names. */
  readonly general: AccessTree;
  /** The rules for all hosts. */
  readonly generalRules: readonly AccessRule[];
  /** By domain. */
  readonly hosts: ReadonlyMap<string, HostRules>;
  /** By the key of their rules. A tree is compiled when it is first needed. */
  readonly hostTrees: CostBoundedMap<AccessTree>;
  /** The memory that all trees and their rules may take, in nodes. */
  readonly cost: number;
}

/** Builds the trees, once for each change of the rules. The rules must have passed `checkAccessRules`. */
export function compileAccessTrees(rules: readonly AccessRule[]): AccessTrees {
  const generalRules = rules.filter(({ hosts }) => hosts === undefined);
  const hosts = rulesOfHosts(rules);
  const hostsCost = [...new Set(hosts.values())].reduce((sum, { own }) => sum + costOf(generalRules, own), 0);
  const rulesCost = Math.ceil(JSON.stringify(rules).length / charactersPerNode);
  return {
    general: compileAccessTree(generalRules),
    generalRules,
    hosts,
    hostTrees: new CostBoundedMap(maxHostTreesCost),
    cost: rulesCost + countRuleNames(generalRules) + Math.min(hostsCost, maxHostTreesCost),
  };
}

/** The tree that applies at a host. @param domain null for a site without a domain */
export function treeAt(trees: AccessTrees, domain: string | null): AccessTree {
  const host = domain === null ? undefined : trees.hosts.get(domain);
  if (!host) return trees.general;
  const known = trees.hostTrees.get(host.key);
  if (known) return known;
  const tree = compileHostTree(trees.general, remainingRules(trees.generalRules, host.own), host.own);
  trees.hostTrees.set(host.key, tree, costOf(trees.generalRules, host.own));
  return tree;
}

function rulesOfHosts(rules: readonly AccessRule[]): Map<string, HostRules> {
  const indexes = new Map<string, number[]>();
  for (const [index, { hosts = [] }] of rules.entries()) {
    for (const domain of hosts) {
      const known = indexes.get(domain);
      if (known) known.push(index);
      else indexes.set(domain, [index]);
    }
  }
  const known = new Map<string, HostRules>();
  return new Map(
    [...indexes].map(([domain, own]) => {
      const key = own.join(' ');
      const host = known.get(key) ?? { key, own: own.map((index) => rules[index]!) };
      known.set(key, host);
      return [domain, host];
    }),
  );
}

/** Its own names have nodes, and the rules for all hosts at least an entry each. */
function costOf(general: readonly AccessRule[], own: readonly AccessRule[]): number {
  return general.length + countRuleNames(own.map(({ path }) => ({ path })));
}

/**
 * The rules for all hosts that apply at a host. A rule that names it replaces the rule for all hosts, and a rule for a
 * folder also the one for only its page: otherwise that one would still open the page.
 */
function remainingRules(general: readonly AccessRule[], own: readonly AccessRule[]): AccessRule[] {
  const places = new Set(own.map(placeOf));
  const folders = new Set(own.filter(({ appliesTo }) => appliesTo !== 'page').map(({ path }) => path));
  return general.filter((rule) => !places.has(placeOf(rule)) && !folders.has(rule.path));
}

function placeOf({ path, appliesTo }: AccessRule): string {
  return placeKey({ path, ...(appliesTo && { appliesTo }) });
}
