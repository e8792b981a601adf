import { createHash } from 'node:crypto';
import type { Dialect, Migration, MigrationStep } from '../database.ts';
import { statementsOf } from '../sql/sql-script.ts';

/** Where `:batch` stands in a statement that runs in batches. */
export const batchCondition = ':batch';

const nameForm = /^\d{4}-[a-z0-9]+(?:-[a-z0-9]+)*$/;
const usableFromLine = /^-- usable from: (\S+)$/;
const stepLine = /^-- step: (?:(transaction|concurrently)|batches of (\w+) by (\w+(?:, \w+)*))$/;
const indexStatement =
  /^(?:CREATE (?:UNIQUE )?INDEX CONCURRENTLY|DROP INDEX CONCURRENTLY IF EXISTS) (\w+)(?: ON [\s\S]+)?$/i;

/**
 * Reads the file of a migration. Two kinds of comment lines have a meaning: `-- usable from: 0001-schema` names
 * the oldest migration whose programs can still use the tables, and `-- step: …` begins a step on PostgreSQL. A file
 * without steps is one transaction.
 * @throws {Error} when such a line is not understood, or a step has other statements than its kind allows
 */
export function readMigration(dialect: Dialect, name: string, text: string): Migration {
  const fail: Fail = (problem) => {
    throw new Error(`The migration ${name} for ${dialect} ${problem}.`);
  };
  if (!nameForm.test(name)) fail('needs a name such as 0002-nicknames');
  const hash = createHash('sha256').update(text).digest('hex');
  const { usableFrom = name, sections } = readLines(text, fail);
  if (!nameForm.test(usableFrom) || usableFrom > name)
    fail(`is usable from ${usableFrom}, which is not this migration or an earlier one`);
  if (dialect === 'sqlite' && sections.length > 1)
    fail('has steps: SQLite runs a migration as one transaction');
  const steps = sections.map(({ line, script }) => readStep(line, script, fail));
  return { name, hash, usableFrom, steps };
}

interface Section {
  /** The line that begins the step; empty for a file without steps. */
  readonly line: string;
  readonly script: string;
}

type Fail = (problem: string) => never;

function readLines(text: string, fail: Fail): { usableFrom?: string; sections: Section[] } {
  let usableFrom: string | undefined;
  const sections = [{ line: '', script: '' }];
  for (const line of text.split('\n')) {
    if (/^\s*--\s*usable\b/i.test(line)) {
      const [, name] = usableFromLine.exec(line) ?? fail(`has a line that is not understood: ${line}`);
      if (usableFrom !== undefined || sections.length > 1)
        fail('must say once, before its first step, from when it is usable');
      usableFrom = name;
    } else if (/^\s*--\s*step\b/i.test(line)) {
      sections.push({ line, script: '' });
    } else {
      sections.at(-1)!.script += `${line}\n`;
    }
  }
  const [start, ...steps] = sections;
  if (steps.length > 0 && statementsOf(start!.script).length > 0)
    fail('has statements before its first step');
  return { ...(usableFrom !== undefined && { usableFrom }), sections: steps.length > 0 ? steps : [start!] };
}

function readStep(line: string, script: string, fail: Fail): MigrationStep {
  if (line === '') return { kind: 'transaction', script };
  const [, kind, table, key] = stepLine.exec(line) ?? fail(`has a line that is not understood: ${line}`);
  const statements = statementsOf(script);
  const [statement] = statements;
  if (statement === undefined) return fail(`has a step without a statement: ${line}`);
  if (kind === 'transaction') return { kind, script };
  if (statements.length > 1) fail(`has more than one statement in a step that takes only one: ${line}`);
  if (kind === 'concurrently') {
    const [, index] =
      indexStatement.exec(statement) ??
      fail(
        `can only run CREATE INDEX CONCURRENTLY name … or DROP INDEX CONCURRENTLY IF EXISTS name outside a ` +
          `transaction, and not: ${statement}`,
      );
    return { kind, script: statement, index: index! };
  }
  if (!/^(?:UPDATE|DELETE|INSERT) /i.test(statement) || statement.split(batchCondition).length !== 2)
    fail(`needs an UPDATE, DELETE or INSERT with ${batchCondition} once in its condition: ${statement}`);
  return { kind: 'batches', script: statement, table: table!, key: key!.split(', ') };
}
