import type { AccessRule } from '@gatehouse/contract';
import {
  fold,
  isIndexPage,
  isWildcard,
  namedPart,
  pageEnding,
  pageName,
  segmentsOf,
} from '@gatehouse/contract/rule-paths';
import type { RequestPath } from './request-path.ts';
import { type Rules, Wildcards } from './wildcards.ts';

/** The compiled rules of a site, evaluated at every request. */
export interface AccessTree {
  readonly root: Node;
}

/** The rules that apply to a path. */
export interface FoundRules {
  /** The rule for the page itself. */
  readonly page: AccessRule | undefined;
  /** The rule for the path as part of its folder; null if there is none. */
  readonly folder: AccessRule | null;
}

interface Node extends Rules {
  /**
   * The name as written in the rules; null where two rules spell it differently, so that no request matches the
   * spelling.
   */
  name: string | null;
  readonly children: Map<string, Node>;
  readonly wildcards: Wildcards;
  /**
   * The children with a rule, by the name of the page that a server may return for each; null when several have the
   * same name.
   */
  readonly pages: Map<string, Node | null>;
}

/** Builds the tree, once for each change of the rules. The rules must have passed `checkAccessRules`. */
export function compileAccessTree(rules: readonly AccessRule[]): AccessTree {
  const root = newNode('');
  for (const rule of rules) {
    const segments = segmentsOf(rule.path);
    const place = isWildcard(rule.path)
      ? nodeFor(root, segments.slice(0, -1)).wildcards.add(namedPart(segments.at(-1)!))
      : nodeFor(root, segments);
    place[rule.appliesTo ?? 'folder'] = rule;
  }
  prepare(root);
  return { root };
}

/**
 * The rules that apply to a path: those of the path itself, of the longest name with `*` that it matches, or of its
 * nearest ancestor. A page follows the rules of the same page under another ending. Undefined when the result is
 * ambiguous, because servers read the path in different ways: as the path of a rule in another spelling, or as another
 * page.
 */
export function findRules({ root }: AccessTree, path: RequestPath): FoundRules | undefined {
  let node = root;
  let page = root.page;
  let folder = root.folder ?? null;
  for (const [index, segment] of path.entries()) {
    if (page === undefined && isLeaf(node)) break;
    const isLast = index === path.length - 1;
    const step = stepInto(node, page, segment, isLast);
    if (step === undefined) return undefined;
    const { place, next } = step;
    if (place === 'index') break;
    page = place?.page;
    folder = place?.folder ?? folder;
    node = next ?? leaf;
  }
  return { page, folder };
}

/** What a segment leads to. */
interface Step {
  /** What has rules for it; `index` for the index page of the folder. */
  readonly place: Rules | 'index' | undefined;
  /** The node of the segment, if there are rules below it. */
  readonly next: Node | undefined;
}

const nothing: Step = { place: undefined, next: undefined };

/** @param ownPage the rule for the page of the node */
function stepInto(
  node: Node,
  ownPage: AccessRule | undefined,
  segment: string,
  isLast: boolean,
): Step | undefined {
  const folded = fold(segment);
  const child = node.children.get(folded);
  if (child && child.name !== segment) return undefined;
  if (child && hasRule(child)) return { place: child, next: child };
  const page = node.pages.get(pageName(folded));
  if (isLast && page !== undefined) {
    return isSamePage(page, segment) ? { place: page!, next: undefined } : undefined;
  }
  // Some servers return a page and pass it the rest of the path, others look for a folder.
  const mayGetRest = !isLast && !child;
  if (mayGetRest && page !== undefined && pageEnding.test(folded)) return undefined;
  const isIndex = isIndexPage(folded);
  if (isIndex !== false && ownPage && (isLast || mayGetRest)) {
    return isIndex && isLast ? { place: 'index', next: undefined } : undefined;
  }
  if (isIndex && isLast) return nothing;
  const wildcard = node.wildcards.find(segment, folded, isLast);
  if (wildcard === 'ambiguous' || (wildcard && isIndex === undefined)) return undefined;
  if (wildcard?.page && mayGetRest && pageEnding.test(folded)) return undefined;
  return { place: wildcard, next: child };
}

function isLeaf({ children, wildcards }: Node): boolean {
  return children.size === 0 && wildcards.isEmpty;
}

function hasRule({ page, folder }: Rules): boolean {
  return page !== undefined || folder !== undefined;
}

function isSamePage(page: Node | null, segment: string): boolean {
  return page !== null && page.name !== null && pageName(page.name) === pageName(segment);
}

function nodeFor(root: Node, segments: readonly string[]): Node {
  let node = root;
  for (const segment of segments) {
    const folded = fold(segment);
    const child = node.children.get(folded) ?? newNode(segment);
    node.children.set(folded, child);
    if (child.name !== segment) child.name = null;
    node = child;
  }
  return node;
}

function prepare(node: Node): void {
  for (const [folded, child] of node.children) {
    const name = pageName(folded);
    if (hasRule(child)) node.pages.set(name, node.pages.has(name) ? null : child);
    prepare(child);
  }
}

function newNode(name: string): Node {
  return {
    name,
    page: undefined,
    folder: undefined,
    children: new Map(),
    wildcards: new Wildcards(),
    pages: new Map(),
  };
}

const leaf = newNode('');
