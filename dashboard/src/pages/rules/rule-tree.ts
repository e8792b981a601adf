import type { AccessRule } from '@gatehouse/client';
import {
  findRulePathConflict,
  maxAccessRules,
  type RulePathFault,
  rulePathFault,
  segmentsOf,
} from '@gatehouse/contract/rule-paths';

/** A path of the site in the tree of its rules. */
export interface RuleNode {
  readonly path: string;
  /** The last segment of the path; `/` for the whole site. */
  readonly name: string;
  /** Its own rule. */
  readonly rule: AccessRule | undefined;
  /** The rule of the nearest path above it that has one. It applies if the path has no own rule. */
  readonly above: AccessRule | undefined;
  readonly children: readonly RuleNode[];
}

/** The tree of all paths with a rule and their parents. The root is the whole site. */
export function toRuleTree(rules: readonly AccessRule[]): RuleNode {
  const byPath = new Map(rules.map((rule) => [rule.path, rule]));
  const names = new Map<string, Set<string>>();
  for (const { path } of rules) {
    const segments = segmentsOf(path);
    for (const [depth, name] of segments.entries()) {
      const parent = toPath(segments.slice(0, depth));
      names.set(parent, (names.get(parent) ?? new Set()).add(name));
    }
  }
  return nodeAt([], undefined);

  function nodeAt(segments: readonly string[], above: AccessRule | undefined): RuleNode {
    const path = toPath(segments);
    const rule = byPath.get(path);
    const children = [...(names.get(path) ?? [])]
      .sort(collator.compare)
      .map((name) => nodeAt([...segments, name], rule ?? above));
    return { path, name: segments.at(-1) ?? '/', rule, above, children };
  }
}

/** A path in the form of the rules: in NFC, without a trailing slash. */
export function tidyPath(typed: string): string {
  return toPath(segmentsOf(typed.trim().normalize('NFC')));
}

/** Why a path cannot have a rule beside others, with the values for the error text. */
export interface PathFault {
  readonly reason: RulePathFault | 'taken' | 'spelling' | 'tooMany';
  readonly values: Readonly<Record<string, string | number>>;
}

/**
 * Checks whether a path can have a rule beside those of other paths. It rejects what the service would reject, for
 * the same reason.
 */
export function pathFault(typed: string, others: readonly string[]): PathFault | null {
  if (!typed.trim().startsWith('/')) return { reason: 'slash', values: {} };
  const path = tidyPath(typed);
  const reason = rulePathFault(path);
  if (reason) return { reason, values: { folder: folderOf(path) } };
  if (others.length >= maxAccessRules) return { reason: 'tooMany', values: { count: maxAccessRules } };
  const conflict = findRulePathConflict([...others, path]);
  if (conflict?.path !== path) return null;
  const { name, other } = conflict;
  return name === undefined
    ? { reason: 'taken', values: {} }
    : { reason: 'spelling', values: { name, other } };
}

/** The folder that a path with wildcards refers to: `/blog` for `/blog/premium-*`. */
function folderOf(path: string): string {
  const segments = segmentsOf(path);
  return toPath(
    segments.slice(
      0,
      segments.findIndex((segment) => segment.includes('*')),
    ),
  );
}

const collator = new Intl.Collator(undefined, { numeric: true });

function toPath(segments: readonly string[]): string {
  return `/${segments.join('/')}`;
}
