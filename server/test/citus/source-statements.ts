import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../src', import.meta.url));

/** A statement as it is written in the source: its text between the expressions. */
export interface SourceStatement {
  readonly file: string;
  readonly parts: readonly string[];
}

/** Files whose statements only SQLite runs. */
const ofSqlite = /members\/search\/(?:member-(?:filter|numbers|scan)|sqlite-scan)\.ts$/;

/** Every statement about the tables of the service that is written as a template, except those of SQLite. */
export function sourceStatements(): SourceStatement[] {
  const files = globSync('{app,commands,connectors,domain,http,jobs,operations,runtime}/**/*.ts', {
    cwd: source,
  }).filter((file) => !file.endsWith('.test.ts') && !ofSqlite.test(file));
  return files.flatMap((file) => {
    const text = readFileSync(`${source}/${file}`, 'utf8');
    return [...text.matchAll(/\bsql`/g)]
      .map(({ index }) => ({ file, parts: readTemplate(text, index + 'sql`'.length).parts }))
      .filter(({ parts }) => /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(parts[0]!));
  });
}

/**
 * A text that PostgreSQL could parse, with a parameter for each expression. One that stands for a clause, or for its
 * absence, is left out.
 */
export function withParameters({ parts }: SourceStatement): string {
  return parts.reduce((before, after, index) => {
    const text = before.trimEnd();
    if (/\b(?:IN|VALUES)$/.test(text)) return `${before}($${index})${after}`;
    if (/\bCASE$/.test(text)) return `${before}WHEN id = $${index} THEN $${index}${after}`;
    const isValue =
      /(?:[=<>,(|+*-]|\b(?:AND|OR|NOT|WHERE|SELECT|THEN|ELSE|LIMIT|SET|BY|LIKE|WHEN|IS|DISTINCT|OFFSET|RETURNING))$/.test(
        text,
      );
    return isValue ? `${before}$${index}${after}` : before + after;
  });
}

/** Whether a text may have been made from the statement, or contain it: CTEs can be written apart from their query. */
export function isMadeFrom(text: string, { parts }: SourceStatement): boolean {
  const pattern = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*?');
  const isPart = /^\s*WITH\b/.test(parts[0]!);
  return new RegExp(isPart ? pattern : `^${pattern}$`, 's').test(text);
}

/** @param start the position after the opening backtick */
function readTemplate(text: string, start: number): { parts: string[]; end: number } {
  const parts: string[] = [];
  let part = '';
  for (let at = start; ; at += 1) {
    if (text[at] === '`') return { parts: [...parts, part], end: at };
    if (text.startsWith('${', at)) {
      at = endOfExpression(text, at + 2);
      parts.push(part);
      part = '';
    } else part += text[at];
  }
}

/** The position of the brace that closes an expression. */
function endOfExpression(text: string, start: number): number {
  let depth = 1;
  for (let at = start; ; at += 1) {
    if (text[at] === '`') at = readTemplate(text, at + 1).end;
    else if (text[at] === '{') depth += 1;
    else if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
}
