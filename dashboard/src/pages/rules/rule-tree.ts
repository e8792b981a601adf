import type { AccessRule } from '@gatehouse/client';

/** A path of the site in the tree of its rules. */
export interface RuleNode {
  readonly path: string;
  /** The last name of the path; `/` for the whole site. */
  readonly name: string;
  /** Its own rule. */
  readonly rule: AccessRule | undefined;
  /** The rule of the nearest path above it that has one, which holds where it has none itself. */
  readonly above: AccessRule | undefined;
  readonly children: readonly RuleNode[];
}

/** The tree of all paths with a rule, and of those on the way to them. The whole site is its root. */
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

/** A path as the rules have it: composed, without a slash at its end. */
export function tidyPath(typed: string): string {
  return toPath(segmentsOf(typed.trim().normalize('NFC')));
}

/** Why a path cannot have this rule, as far as it can be told at once; the service looks again, and closer. */
export function pathFault(
  typed: string,
  taken: readonly string[],
): 'pathSlash' | 'pathPlain' | 'pathTaken' | null {
  if (!typed.trim().startsWith('/')) return 'pathSlash';
  if (/[?#%]/.test(typed)) return 'pathPlain';
  return taken.includes(tidyPath(typed)) ? 'pathTaken' : null;
}

const collator = new Intl.Collator(undefined, { numeric: true });

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function toPath(segments: readonly string[]): string {
  return `/${segments.join('/')}`;
}
