import type { AccessRule } from '@gatehouse/contract';
import { fold, pageEnding, pageName, segmentsOf } from '@gatehouse/contract/rule-paths';
import type { RequestPath } from './request-path.ts';

/** The compiled rules of a site, evaluated at every request. */
export interface AccessTree {
  readonly root: Node;
}

interface Node {
  /**
   * The name as written in the rules; null where two rules spell it differently, so that no request matches the
   * spelling.
   */
  name: string | null;
  rule: AccessRule | undefined;
  readonly children: Map<string, Node>;
  /**
   * The children with a rule, by the name of the page that a server may return for each; null when several have the
   * same name.
   */
  readonly pages: Map<string, Node | null>;
}

/** Builds the tree, once for each change of the rules. The rules must have passed `checkAccessRules`. */
export function compileAccessTree(rules: readonly AccessRule[]): AccessTree {
  const root = newNode('');
  for (const rule of rules) nodeFor(root, segmentsOf(rule.path)).rule = rule;
  collectPages(root);
  return { root };
}

/**
 * The rule that applies to a path: that of its nearest ancestor, or of the page that servers return for it under
 * another ending. Null when no rule applies. Undefined when the result is ambiguous, because the path differs from
 * that of a rule only in its spelling: some servers treat both as the same, others do not.
 */
export function findRule({ root }: AccessTree, path: RequestPath): AccessRule | null | undefined {
  let node = root;
  let rule = root.rule ?? null;
  for (const [index, segment] of path.entries()) {
    if (node.children.size === 0) return rule;
    const folded = fold(segment);
    const child = node.children.get(folded);
    if (child && child.name !== segment) return undefined;
    if (!child?.rule) {
      const page = node.pages.get(pageName(folded));
      const isLast = index === path.length - 1;
      if (isLast && page !== undefined) return isSamePage(page, segment) ? page!.rule! : undefined;
      // Some servers return the page and pass it the rest of the path, others look for a folder.
      if (!child && page !== undefined && pageEnding.test(folded)) return undefined;
    }
    if (!child) return rule;
    node = child;
    rule = child.rule ?? rule;
  }
  return rule;
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

function collectPages(node: Node): void {
  for (const [folded, child] of node.children) {
    const name = pageName(folded);
    if (child.rule) node.pages.set(name, node.pages.has(name) ? null : child);
    collectPages(child);
  }
}

function newNode(name: string): Node {
  return { name, rule: undefined, children: new Map(), pages: new Map() };
}
