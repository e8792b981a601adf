import { readFileSync } from 'node:fs';
import { parseAst } from 'vitest/node';

/** The titles that a document names, each in quotation marks. */
export function quotedIn(text: string): string[] {
  return [...text.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title.replace(/\s+/g, ' '));
}

interface Node {
  readonly type?: string;
  readonly start: number;
  readonly end: number;
  /** Of a call. */
  readonly callee?: Node;
  readonly arguments?: readonly Node[];
  /** Of a property. */
  readonly key?: Node;
  readonly value?: Node;
}

/** The titles of the tests in a file, and the notes of its tricks. */
export function titlesOf(file: string): ReadonlySet<string> {
  const source = readFileSync(file, 'utf8');
  const found = new Set<string>();
  const textOf = (node?: Node) => (node ? source.slice(node.start, node.end) : '');
  const add = (node?: Node) => void found.add(textOf(node).replace(/^(['`])(.*)\1$/s, '$2'));
  const visit = (child: unknown): void => {
    if (typeof child !== 'object' || child === null) return;
    const node = child as Node;
    if (node.type === 'CallExpression' && /^(?:test|race|trick)\b/.test(textOf(node.callee)))
      add(node.arguments?.[0]);
    if (node.type === 'Property' && textOf(node.key) === 'note') add(node.value);
    for (const each of Object.values(child)) visit(each);
  };
  visit(parseAst(source, { lang: 'ts' }, file));
  return found;
}
