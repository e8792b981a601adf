import { fold, pageName, type SegmentFault, segmentFault, segmentsOf } from './path-segments.ts';

export * from './fold-case.ts';
export * from './path-segments.ts';

/** Most rules of one site. */
export const maxAccessRules = 1_000;
/** Most access groups of one rule. */
export const maxRuleGroups = 100;
/** Most characters of a rule's path. */
export const maxRulePathLength = 500;
/** Most names of a rule's path: a thousand rules of 250 names took 100 MB and stopped the gate for 0.2 s. */
export const maxRulePathNames = 32;
/** Most characters of a path that is requested. */
export const maxRequestPathLength = 4_096;

/** Why a path cannot have a rule. */
export type RulePathFault = SegmentFault | 'slash' | 'query' | 'wildcard' | 'depth' | 'index' | 'length';

/** Why a path cannot have a rule; undefined for one that can. The service and the dashboard both ask here. */
export function rulePathFault(path: string): RulePathFault | undefined {
  if (!path.startsWith('/')) return 'slash';
  if (path.includes('%')) return 'encoded';
  if (/[?#]/.test(path)) return 'query';
  if (path.includes('*')) return 'wildcard';
  if (path === '/') return undefined;
  const tidy = tidyRulePath(path);
  const names = tidy.slice(1).split('/');
  if (names.length > maxRulePathNames) return 'depth';
  for (const [index, name] of names.entries()) {
    const fault = segmentFault(name, index === names.length - 1);
    if (fault) return fault;
  }
  if (pageName(fold(names.at(-1)!)) === 'index') return 'index';
  return encodeURI(tidy).length > maxRequestPathLength ? 'length' : undefined;
}

/** The form in which a path that can have a rule is saved: composed (NFC), without a slash at its end. */
export function tidyRulePath(path: string): string {
  const composed = path.normalize('NFC');
  return composed === '/' ? composed : composed.replace(/\/$/, '');
}

/** Two paths that cannot both have a rule. */
export interface RulePathConflict {
  /** Where the later one stands. */
  readonly index: number;
  readonly path: string;
  readonly other: string;
  /** A name of both that some servers read as the same, though it is written differently; undefined for the same path. */
  readonly name: string | undefined;
}

/** A name of a path as the first rule wrote it that had it. */
interface Spelling {
  readonly name: string;
  readonly path: string;
  hasRule: boolean;
  readonly below: Map<string, Spelling>;
}

/** The first of tidy paths that stands twice, or that has a name in another way of writing than a path before it. */
export function findRulePathConflict(paths: readonly string[]): RulePathConflict | undefined {
  const root: Spelling = { name: '', path: '/', hasRule: false, below: new Map() };
  for (const [index, path] of paths.entries()) {
    let place = root;
    for (const name of segmentsOf(path)) {
      const folded = fold(name);
      const next = place.below.get(folded) ?? { name, path, hasRule: false, below: new Map() };
      place.below.set(folded, next);
      if (next.name !== name) return { index, path, other: next.path, name };
      place = next;
    }
    if (place.hasRule) return { index, path, other: path, name: undefined };
    place.hasRule = true;
  }
  return undefined;
}
