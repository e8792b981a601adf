import type { AccessRule } from '@gatehouse/client';
import {
  countRuleNames,
  findProgramConflict,
  findRuleConflict,
  isWildcard,
  maxAccessRules,
  maxRuleNames,
  namedPart,
  type ProgramPlace,
  type RulePathFault,
  type RulePlace,
  rulePathFault,
  segmentsOf,
} from '@gatehouse/contract/rule-paths';

/** A path of the site in the tree of its rules. */
export interface RuleNode {
  readonly path: string;
  /** The last segment of the path; `/` for the whole site. */
  readonly name: string;
  /** Its own rule for the path and everything below it. */
  readonly rule: AccessRule | undefined;
  /** Its own rule for only this page. */
  readonly page: AccessRule | undefined;
  /** Its own rules for some hosts. */
  readonly atHosts: readonly AccessRule[];
  /**
   * The rule that applies if the path has no own rule: that of the longest matching path with `*`, or else of the nearest
   * path above it that has one.
   */
  readonly above: AccessRule | undefined;
  readonly children: readonly RuleNode[];
}

/** The rules of one path. */
type PathRules = Partial<Record<'folder' | 'page', AccessRule>>;

/** The tree of all paths with a rule and their parents. The root is the whole site. */
export function toRuleTree(rules: readonly AccessRule[]): RuleNode {
  const byPath = new Map<string, PathRules>();
  const atHosts = Map.groupBy(
    rules.filter(({ hosts }) => hosts),
    ({ path }) => path,
  );
  const names = new Map<string, Set<string>>();
  for (const rule of rules) {
    if (!rule.hosts) byPath.set(rule.path, { ...byPath.get(rule.path), [rule.appliesTo ?? 'folder']: rule });
    const segments = segmentsOf(rule.path);
    for (const [depth, name] of segments.entries()) {
      const parent = toPath(segments.slice(0, depth));
      names.set(parent, (names.get(parent) ?? new Set()).add(name));
    }
  }
  return nodeAt([], undefined);

  function nodeAt(segments: readonly string[], above: AccessRule | undefined): RuleNode {
    const path = toPath(segments);
    const { folder: rule, page } = byPath.get(path) ?? {};
    const all = [...(names.get(path) ?? [])].sort(collator.compare);
    const wildcards = all
      .filter(isWildcard)
      .sort((one, other) => other.length - one.length)
      .map((name) => [namedPart(name), byPath.get(toPath([...segments, name]))?.folder] as const);
    const children = all.map((name) => nodeAt([...segments, name], aboveOf(name) ?? rule ?? above));
    const name = segments.at(-1) ?? '/';
    return { path, name, rule, page, atHosts: atHosts.get(path) ?? [], above, children };

    /** A path with a rule of its own, even for only its page, does not follow rules with `*`. */
    function aboveOf(name: string): AccessRule | undefined {
      if (byPath.has(toPath([...segments, name]))) return undefined;
      return wildcards.find(([beginning]) => name.startsWith(beginning))?.[1];
    }
  }
}

/** A path in the form of the rules: in NFC, without a trailing slash. */
export function tidyPath(typed: string): string {
  return toPath(segmentsOf(typed.trim().normalize('NFC')));
}

/** Why a path cannot have a rule beside others, with the values for the error text. */
export interface PathFault {
  readonly reason:
    | RulePathFault
    | 'belowProgram'
    | 'taken'
    | 'takenPage'
    | 'spelling'
    | 'tooMany'
    | 'tooManyNames';
  readonly values: Readonly<Record<string, string | number>>;
}

/**
 * Checks whether a path, as typed, can have a rule beside those of other places. It rejects what the service would
 * reject, for the same reason.
 */
export function pathFault(place: RulePlace, others: readonly ProgramPlace[]): PathFault | null {
  const typed = place.path;
  if (!typed.trim().startsWith('/')) return { reason: 'slash', values: {} };
  const path = tidyPath(typed);
  const reason = rulePathFault(path);
  if (reason) return { reason, values: { folder: folderOf(path) } };
  if (others.length >= maxAccessRules) return { reason: 'tooMany', values: { count: maxAccessRules } };
  if (countRuleNames([...others, { ...place, path }]) > maxRuleNames) {
    return { reason: 'tooManyNames', values: { count: maxRuleNames } };
  }
  const conflict = findRuleConflict([...others, { ...place, path }]);
  if (conflict?.index !== others.length) {
    const program = programAbove({ ...place, path }, others);
    return program ? { reason: 'belowProgram', values: { program: program.path } } : null;
  }
  const { name, other } = conflict;
  if (name !== undefined) return { reason: 'spelling', values: { name, other } };
  return { reason: place.appliesTo === 'page' ? 'takenPage' : 'taken', values: {} };
}

/** The rule that passes on the paths of a place to one program, with the rules of other places. */
function programAbove(place: RulePlace, others: readonly ProgramPlace[]): ProgramPlace | undefined {
  const conflict = findProgramConflict([...others, { ...place, programPaths: false }]);
  return conflict?.other === others.length ? others[conflict.program] : undefined;
}

/** The rule for a part of what a place passes on to one program. */
export function ruleBelow(place: ProgramPlace, others: readonly ProgramPlace[]): ProgramPlace | undefined {
  const conflict = findProgramConflict([...others, place]);
  return conflict?.program === others.length ? others[conflict.other] : undefined;
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
