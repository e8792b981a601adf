import sql from 'sql-template-tag';
import type { Transaction } from '../database.ts';
import { DatabaseClosed } from '../errors.ts';

/**
 * Why no service may use a database: it is being copied to another one, was copied there, or is the incomplete copy.
 * It is stored as a row of the table of migrations that no version can work with, so that every version refuses the
 * database, also one that does not know what the row means.
 */
export interface Closure {
  readonly state: 'copying' | 'copied' | 'incomplete';
  /** The same in both databases. A copy is continued only between them: while both are closed, neither changes. */
  readonly copyId: string;
  /** The other database, without a password. */
  readonly other: string;
  /** When the database was closed. */
  readonly at: string;
  /** The run of the command that writes to an incomplete copy: an earlier one that still runs must not. */
  readonly runId?: string;
}

/** Sorts after every migration. */
export const closureName = '9999-closed';

const states: readonly string[] = ['copying', 'copied', 'incomplete'] satisfies Closure['state'][];

/** The closure in the text of its row. @throws {DatabaseClosed} for one of another version */
export function parseClosure(text: string): Closure {
  try {
    const closure: Closure = JSON.parse(text);
    if (states.includes(closure.state)) return closure;
  } catch {
    // As below.
  }
  throw new DatabaseClosed('This database was closed by another version of Gatehouse. Use that version.');
}

/** Closes a database that is open. */
export async function insertClosure(tx: Transaction, closure: Closure): Promise<void> {
  const columns = ['name', 'hash', 'usable_from', 'applied_at'];
  const values = [closureName, JSON.stringify(closure), closureName, closure.at];
  await (tx.dialect === 'sqlite'
    ? tx.insert('migrations', columns, [values])
    : tx.insert('migrations', [...columns, 'remaining_steps'], [[...values, 0]]));
}

/** Changes a closure, or locks it with the same one. Returns false if it is no longer as it was read. */
export async function replaceClosure(tx: Transaction, before: Closure, after: Closure): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE migrations SET hash = ${JSON.stringify(after)}
    WHERE name = ${closureName} AND hash = ${JSON.stringify(before)}`);
  return changed === 1;
}

/** Opens a database again. Returns false if its closure is no longer as it was read. */
export async function deleteClosure(tx: Transaction, closure: Closure): Promise<boolean> {
  const deleted = await tx.run(
    sql`DELETE FROM migrations WHERE name = ${closureName} AND hash = ${JSON.stringify(closure)}`,
  );
  return deleted === 1;
}

/** For a service or a command that wanted to use the database. */
export function describeClosure({ state, other, at }: Closure): string {
  const day = at.slice(0, 10);
  return {
    copying:
      `This database is being copied to ${other}, and the copy has not ended. Repeat ./gatehouse copy, which continues it, or ` +
      'use this database again instead: ./gatehouse copy --reopen.',
    copied:
      `The data of this database was copied to ${other} on ${day}, and may have changed there since. Set GATEHOUSE_DATABASE_URL to ` +
      'that database. To use this one again: ./gatehouse copy --reopen --force. While both are used, every email is sent ' +
      'twice.',
    incomplete: `This database is an incomplete copy of ${other}. Repeat ./gatehouse copy there, which continues it.`,
  }[state];
}
