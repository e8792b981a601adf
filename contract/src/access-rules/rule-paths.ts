import { Beginnings } from './beginnings.ts';
import {
  fold,
  namesOfPages,
  pageName,
  type SegmentFault,
  segmentFault,
  segmentsOf,
} from './path-segments.ts';
import { maxRequestPathLength, maxRulePathNames } from './rule-limits.ts';

/** Why a path cannot have a rule. */
export type RulePathFault = SegmentFault | 'slash' | 'query' | 'wildcard' | 'depth' | 'index' | 'length';

/** Why a path cannot have a rule; undefined if it can. The service and the dashboard share this check. */
export function rulePathFault(path: string): RulePathFault | undefined {
  if (!path.startsWith('/')) return 'slash';
  if (path.includes('%')) return 'encoded';
  if (/[?#]/.test(path)) return 'query';
  if (path === '/') return undefined;
  const wildcard = isWildcard(tidyRulePath(path));
  const tidy = namedPart(tidyRulePath(path));
  if (tidy.includes('*') || (wildcard && tidy.endsWith('/'))) return 'wildcard';
  const names = tidy.slice(1).split('/');
  if (names.length > maxRulePathNames) return 'depth';
  for (const [index, name] of names.entries()) {
    const fault = segmentFault(name, index === names.length - 1);
    if (fault) return fault;
  }
  const last = fold(names.at(-1)!);
  if (pageName(last) === 'index') return 'index';
  // An index page follows its folder, and a page the same page under another ending: neither would follow this rule.
  if (wildcard && ('index.'.startsWith(last) || last.startsWith('index.'))) return 'index';
  if (wildcard && namesOfPages(last).length > 0) return 'wildcard';
  return encodeURI(tidy).length > maxRequestPathLength ? 'length' : undefined;
}

/** Whether the path of a rule stands for every path whose last name begins as its own. */
export function isWildcard(path: string): boolean {
  return path.endsWith('*');
}

/** The path of a rule without a `*` at its end. */
export function namedPart(path: string): string {
  return isWildcard(path) ? path.slice(0, -1) : path;
}

/** The stored form of the path of a rule: composed (NFC), without a trailing slash. */
export function tidyRulePath(path: string): string {
  const composed = path.normalize('NFC');
  return composed === '/' ? composed : composed.replace(/\/$/, '');
}

/** The part of a rule that distinguishes it from the other rules of its site. */
export interface RulePlace {
  readonly path: string;
  readonly appliesTo?: 'folder' | 'page';
  /** The domains of the hosts; left out for all hosts. */
  readonly hosts?: string[];
}

/** A text for the place of a rule, the same for no other place: no path of a rule contains a question mark. */
export function placeKey({ path, appliesTo, hosts = [] }: RulePlace): string {
  const place = appliesTo === 'page' ? `${path}?page` : path;
  return hosts.length === 0 ? place : `${place}?${hosts.join(',')}`;
}

/** The number of names in the paths of rules, at least one for each path, and once for each host of a rule. */
export function countRuleNames(places: readonly RulePlace[]): number {
  return places.reduce(
    (sum, { path, hosts }) => sum + Math.max(1, segmentsOf(path).length) * (hosts?.length ?? 1),
    0,
  );
}

/** Sorts by path, the rule of a page after that of its folder, and a rule for some hosts after that for all. */
export function comparePlaces(one: RulePlace, other: RulePlace): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  const byReach = Number(one.appliesTo === 'page') - Number(other.appliesTo === 'page');
  if (byReach !== 0) return byReach;
  const [key, otherKey] = [placeKey(one), placeKey(other)];
  if (key === otherKey) return 0;
  return key < otherKey ? -1 : 1;
}

/** Two places that cannot both have a rule. */
export interface RuleConflict {
  /** The index of the later place. */
  readonly index: number;
  readonly path: string;
  readonly other: string;
  /**
   * A segment that the two paths spell differently but some servers read as the same; undefined if the places are equal.
   */
  readonly name: string | undefined;
}

/** A segment as spelled by the first rule that has it. */
interface Spelling {
  readonly name: string;
  readonly path: string;
  readonly index: number;
  readonly below: Map<string, Spelling>;
}

/** The first of the tidy paths that is a duplicate, or that spells a segment differently from an earlier path. */
export function findRuleConflict(places: readonly RulePlace[]): RuleConflict | undefined {
  const root: Spelling = { name: '', path: '/', index: 0, below: new Map() };
  const keys = new Set<string>();
  for (const [index, place] of places.entries()) {
    const { path } = place;
    let node = root;
    for (const name of segmentsOf(path)) {
      const folded = fold(name);
      const next = node.below.get(folded) ?? { name, path, index, below: new Map() };
      node.below.set(folded, next);
      if (next.name !== name) return { index, path, other: next.path, name };
      node = next;
    }
    for (const key of keysOf(place)) {
      if (keys.has(key)) return { index, path, other: path, name: undefined };
      keys.add(key);
    }
  }
  return findWildcardConflict(root);
}

/** A rule for some hosts replaces the rule of the same place for all hosts, so only rules that share a host conflict. */
function keysOf({ hosts, ...place }: RulePlace): string[] {
  return hosts ? hosts.map((host) => placeKey({ ...place, hosts: [host] })) : [placeKey(place)];
}

/** A name that begins like a name with `*` only in another spelling: every path with it would be ambiguous. */
function findWildcardConflict({ below }: Spelling): RuleConflict | undefined {
  const siblings = [...below].map(([folded, spelling]) => ({
    spelling,
    written: namedPart(spelling.name),
    folded: namedPart(folded),
  }));
  const [byWritten, byFolded] = [new Beginnings<Sibling>(), new Beginnings<Sibling>()];
  for (const sibling of siblings) {
    if (!isWildcard(sibling.spelling.name)) continue;
    byWritten.add(sibling.written, sibling);
    byFolded.add(sibling.folded, sibling);
  }
  for (const sibling of byWritten.isEmpty ? [] : siblings) {
    const alike =
      byWritten.of(sibling.written).find(({ folded }) => !sibling.folded.startsWith(folded)) ??
      byFolded.of(sibling.folded).find(({ written }) => !sibling.written.startsWith(written));
    if (alike) return conflictOf(sibling.spelling, alike.spelling);
  }
  for (const spelling of below.values()) {
    const conflict = findWildcardConflict(spelling);
    if (conflict) return conflict;
  }
  return undefined;
}

interface Sibling {
  readonly spelling: Spelling;
  /** The name without `*`, as written and folded. */
  readonly written: string;
  readonly folded: string;
}

function conflictOf(one: Spelling, other: Spelling): RuleConflict {
  const [first, later] = one.index < other.index ? [one, other] : [other, one];
  return { index: later.index, path: later.path, other: first.path, name: later.name };
}
