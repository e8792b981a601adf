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
import { NameIndex } from './names/name-index.ts';
import { readingsOf } from './names/name-readings.ts';
import type { RequestPath } from './request-path.ts';
import { noRules, type Rules, Wildcards } from './wildcards.ts';

/** The compiled rules of a site, evaluated at every request. */
export interface AccessTree {
  readonly root: Node;
  /** The rules that pass on paths as they are, by their paths. */
  readonly programs: ReadonlyMap<string, AccessRule>;
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
  wildcards: Wildcards;
  /** The children with a rule, by the name of the page that a server may return for each. */
  pages: ReadonlyMap<string, Node[]>;
  /** What programs may read as one of the children; undefined before the first search. */
  lookalikes: Lookalikes | undefined;
}

interface Lookalikes {
  readonly names: NameIndex<Node>;
  /** Only of the children with a rule, by the name of the page. */
  readonly pages: NameIndex<Node>;
}

/** Builds the tree, once for each change of the rules. The rules must have passed `checkAccessRules`. */
export function compileAccessTree(rules: readonly AccessRule[]): AccessTree {
  const root = newNode('');
  for (const rule of rules) placeRule(root, rule);
  prepare(root);
  return { root, programs: programsOf(rules) };
}

/**
 * Builds the tree of a host with rules of its own. Where it has none, its nodes are those of the general tree.
 * @param general the tree of the rules for all hosts
 * @param remaining those of the rules for all hosts that apply at the host
 */
export function compileHostTree(
  general: AccessTree,
  remaining: readonly AccessRule[],
  own: readonly AccessRule[],
): AccessTree {
  const root = newNode('');
  for (const rule of own) placeRule(root, rule);
  for (const rule of remaining) placeRule(root, rule, general.root);
  prepare(root, general.root);
  return { root, programs: programsOf([...remaining, ...own]) };
}

function programsOf(rules: readonly AccessRule[]): ReadonlyMap<string, AccessRule> {
  return new Map(rules.filter(({ programPaths }) => programPaths).map((rule) => [rule.path, rule]));
}

/**
 * The rules that apply to a path: those of the path itself, of the longest name with `*` that it matches, or of its
 * nearest ancestor. A page follows the rules of the same page under another ending. Undefined when the result is
 * ambiguous, because servers and programs read the path in different ways: as the path of a rule in another spelling, or
 * as another page.
 */
export function findRules({ root }: AccessTree, path: RequestPath): FoundRules | undefined {
  let node = root;
  let page = root.page;
  let folder = root.folder ?? null;
  let isUnclear = false;
  for (const [index, segment] of path.entries()) {
    if (page === undefined && isLeaf(node)) break;
    const isLast = index === path.length - 1;
    const step = isLast ? lastStep(node, page, segment) : stepInto(node, page, segment);
    if (step === 'ambiguous') return undefined;
    if (step === 'index') break;
    page = step.page;
    folder = step.folder ?? folder;
    isUnclear = staysUnclear(isUnclear, step) && !(isLast && step.page);
    node = step.next;
  }
  return isUnclear ? undefined : { page, folder };
}

/**
 * The number of names of a path that lead to a folder in which no rule has a part of its own, so that the same rule for
 * folders applies to everything below it. Undefined if a rule makes a difference up to the last name of the path.
 */
export function findUniformFolder({ root }: AccessTree, path: RequestPath): number | undefined {
  let node = root;
  let page = root.page;
  let isUnclear = false;
  for (const [index, segment] of path.entries()) {
    // Here `findRules` stops, whatever follows.
    if (page === undefined && isLeaf(node)) return isUnclear ? undefined : index;
    const step = stepInto(node, page, segment);
    if (step === 'ambiguous') return undefined;
    page = step.page;
    isUnclear = staysUnclear(isUnclear, step);
    node = step.next;
  }
  return undefined;
}

/** The rules that a segment adds, and the node of the segment. */
interface Step extends Rules {
  readonly next: Node;
  /** Whether the segment is only a part of the paths of rules, and may be read as a name with a rule of its own. */
  readonly isUnclear?: boolean;
}

/** A path below an unclear name follows a rule of its own. */
function staysUnclear(wasUnclear: boolean, { folder, isUnclear = false }: Step): boolean {
  return isUnclear || (wasUnclear && folder === undefined);
}

/** A segment with others behind it. @param ownPage the rule for the page of the node */
function stepInto(node: Node, ownPage: AccessRule | undefined, segment: string): Step | 'ambiguous' {
  const folded = fold(segment);
  const child = node.children.get(folded);
  if (child && child.name !== segment) return 'ambiguous';
  if (child?.folder) return { page: child.page, folder: child.folder, next: child };
  const wildcard = node.wildcards.find(segment, folded);
  if (wildcard === 'ambiguous') return 'ambiguous';
  const page = child?.page ?? wildcard.page;
  // Some servers return a page and pass it the rest of the path, others look for a folder.
  const isPage = folded.includes('.') && pageEnding.test(folded);
  if (isPage && (page || mayBePage(node, segment, folded))) return 'ambiguous';
  if (ownPage && !child && mayBeIndex(segment, folded)) return 'ambiguous';
  const isUnclear =
    lookalikesOf(node).names.hasOther(segment, (other) => other === child) ||
    node.wildcards.mayMatchOthers(segment);
  if (isUnclear && !child) return 'ambiguous';
  return { page, folder: wildcard.folder, next: child ?? leaf, isUnclear };
}

/** @param ownPage the rule for the page of the node */
function lastStep(
  node: Node,
  ownPage: AccessRule | undefined,
  segment: string,
): Step | 'ambiguous' | 'index' {
  const folded = fold(segment);
  const child = node.children.get(folded);
  if (child && child.name !== segment) return 'ambiguous';
  if (child?.page && child.folder) return { page: child.page, folder: child.folder, next: leaf };
  const others = node.pages.get(pageName(folded))?.filter((other) => other !== child) ?? [];
  if (!child || !hasRule(child)) {
    const isIndex = isIndexPage(folded);
    // Only some servers find the page under another spelling.
    if (ownPage && mayBeIndex(segment, folded)) return isIndex && segment === folded ? 'index' : 'ambiguous';
    if (isIndex) return { ...noRules, next: leaf };
    if (isIndex === undefined && !node.wildcards.isEmpty) return 'ambiguous';
    // Names of pages that the rules do not have are ambiguous if several of them would apply.
    if (others.length > 1 || others.some((other) => !isSamePage(other, segment))) return 'ambiguous';
    if (hasLookalike(node, segment, child, others)) return 'ambiguous';
  }
  return byPrecedence(child ?? noRules, others, node.wildcards.find(segment, folded), segment);
}

/**
 * The own rules of a path come before those of the same page under another ending, and these before those of names
 * with `*`. A rule for the page says nothing about the folder; but where a path has its own rule for the folder, no less
 * specific rule for the page applies.
 */
function byPrecedence(
  own: Rules,
  others: readonly Node[],
  wildcard: Rules | 'ambiguous',
  segment: string,
): Step | 'ambiguous' {
  const [otherPage, otherFolder] = [
    ruleOfPage('page', others, segment),
    ruleOfPage('folder', others, segment),
  ];
  if (otherPage === 'ambiguous' || otherFolder === 'ambiguous' || wildcard === 'ambiguous')
    return 'ambiguous';
  const levels = [own, { page: otherPage, folder: otherFolder }, wildcard];
  const isFolderFirst = levels.find(hasRule)?.page === undefined;
  return {
    page: isFolderFirst ? undefined : levels.find(({ page }) => page)?.page,
    folder: levels.find(({ folder }) => folder)?.folder,
    next: leaf,
  };
}

/** The rule of the same page under another ending. */
function ruleOfPage(
  reach: keyof Rules,
  others: readonly Node[],
  segment: string,
): AccessRule | 'ambiguous' | undefined {
  const [first, ...more] = others.filter((other) => other[reach] !== undefined);
  if (!first) return undefined;
  return more.length === 0 && isSamePage(first, segment) ? first[reach] : 'ambiguous';
}

/**
 * Whether some program may read a segment as the name, or as the page, of another child, or as one with `*`.
 * @param pages the children that are the same page under another ending
 */
function hasLookalike(node: Node, segment: string, child: Node | undefined, pages: readonly Node[]): boolean {
  const isOwn = (other: Node) => other === child || pages.includes(other);
  const lookalikes = lookalikesOf(node);
  return (
    lookalikes.names.hasOther(segment, isOwn) ||
    lookalikes.pages.hasOther(writtenPageName(segment), isOwn) ||
    (pages.length === 0 && node.wildcards.mayMatchOthers(segment))
  );
}

/** Whether some program may read a segment as the page of a child, under any ending. */
function mayBePage(node: Node, segment: string, folded: string): boolean {
  if (node.pages.has(pageName(folded))) return true;
  return lookalikesOf(node).pages.hasOther(writtenPageName(segment), () => false);
}

/** Whether some program may return the page of the folder for a segment. */
function mayBeIndex(segment: string, folded: string): boolean {
  if (isIndexPage(folded) !== false) return true;
  return readingsOf(writtenPageName(segment)).some((name) => isIndexPage(name) !== false);
}

/** The name of a page, in its own case. */
function writtenPageName(name: string): string {
  const lower = name.toLowerCase();
  return name.slice(0, name.length - (lower.length - pageName(lower).length));
}

function lookalikesOf(node: Node): Lookalikes {
  if (node.lookalikes) return node.lookalikes;
  const lookalikes: Lookalikes = { names: new NameIndex(), pages: new NameIndex() };
  for (const child of node.children.values()) {
    if (child.name === null) continue;
    lookalikes.names.add(child.name, child);
    if (hasRule(child)) lookalikes.pages.add(writtenPageName(child.name), child);
  }
  node.lookalikes = lookalikes;
  return lookalikes;
}

function isLeaf({ children, wildcards }: Node): boolean {
  return children.size === 0 && wildcards.isEmpty;
}

function hasRule({ page, folder }: Rules): boolean {
  return page !== undefined || folder !== undefined;
}

function isSamePage({ name }: Node, segment: string): boolean {
  return name !== null && pageName(name) === pageName(segment);
}

/** @param general as for `nodeFor` */
function placeRule(root: Node, rule: AccessRule, general?: Node): void {
  const segments = segmentsOf(rule.path);
  const beginning = isWildcard(rule.path) ? namedPart(segments.pop()!) : undefined;
  const node = nodeFor(root, segments, general);
  if (!node) return;
  if (beginning !== undefined && node.wildcards === noWildcards) node.wildcards = new Wildcards();
  const place = beginning === undefined ? node : node.wildcards.add(beginning);
  place[rule.appliesTo ?? 'folder'] = rule;
}

/**
 * The node of a path, which is created with those above it.
 * @param general the root of a tree that has all these nodes, and whose nodes are used instead of new ones. Then the
 *   result is undefined if the node is one of them.
 */
function nodeFor(root: Node, segments: readonly string[], general?: Node): Node | undefined {
  let node = root;
  let other = general;
  for (const segment of segments) {
    const folded = fold(segment);
    other = other?.children.get(folded);
    const child = node.children.get(folded) ?? other ?? newNode(segment);
    node.children.set(folded, child);
    if (child === other) return undefined;
    if (child.name !== segment) child.name = null;
    node = child;
  }
  return node;
}

/** @param general the node of the general tree at this place, if there is one */
function prepare(node: Node, general?: Node): void {
  const pages = new Map<string, Node[]>();
  for (const [folded, child] of node.children) {
    const name = pageName(folded);
    if (hasRule(child)) pages.set(name, [...(pages.get(name) ?? []), child]);
    const other = general?.children.get(folded);
    if (child !== other) prepare(child, other);
  }
  if (pages.size > 0) node.pages = pages;
}

// Most nodes have neither: with objects of their own, they would take three times as much memory.
const noWildcards = new Wildcards();
const noPages: ReadonlyMap<string, Node[]> = new Map();

function newNode(name: string): Node {
  return {
    name,
    page: undefined,
    folder: undefined,
    children: new Map(),
    wildcards: noWildcards,
    pages: noPages,
    lookalikes: undefined,
  };
}

const leaf = newNode('');
