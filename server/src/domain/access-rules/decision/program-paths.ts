import type { AccessRule } from '@gatehouse/contract';
import { maxRulePathNames, segmentFault } from '@gatehouse/contract/rule-paths';
import { type AccessTree, findUniformFolder } from './access-tree.ts';
import { decodeName, writtenNames } from './request-path.ts';
import { mayLeadOut, mayVanish } from './unclear-names.ts';

/** Any name without a special meaning. */
const anyName = 'x';

/**
 * The rule that passes on a path as it is, although servers read it in different ways: all of them read it as a path below
 * that of the rule. Undefined if there is none, or if the path of the rule is not written as in the rule.
 */
export function findProgramRule(tree: AccessTree, target: string): AccessRule | undefined {
  if (tree.programs.size === 0) return undefined;
  const written = writtenNames(target) ?? [];
  const names: string[] = [];
  for (const [depth, next] of written.slice(0, maxRulePathNames + 1).entries()) {
    const rule = tree.programs.get(`/${names.join('/')}`);
    if (rule) return isWhole(tree, names) && staysBelow(written.slice(depth), depth) ? rule : undefined;
    const name = decodeName(next);
    if (name === undefined || segmentFault(name, true)) return undefined;
    names.push(name);
  }
  return undefined;
}

/** Whether no other rule is for a part of the folder, as `checkAccessRules` requires. */
function isWhole(tree: AccessTree, names: readonly string[]): boolean {
  return findUniformFolder(tree, [...names, anyName]) === names.length;
}

/** @param depth the number of names before these; without any, servers may read a host in the path: `//forum.example.net` */
function staysBelow(written: readonly string[], depth: number): boolean {
  return !written.some(mayLeadOut) && !(depth === 0 && mayVanish(written[0]!));
}
