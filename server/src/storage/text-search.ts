import sql, { raw, type Sql } from 'sql-template-tag';
import { lengthOf } from '../base/text.ts';
import type { Dialect, Queries } from './database.ts';

/** A condition: the text stands somewhere in the column. Both are folded before; no character is special. */
export function contains(dialect: Dialect, column: Sql, text: string): Sql {
  if (dialect === 'sqlite') return sql`instr(${column}, ${text}) > 0`;
  // LIKE rather than strpos(): only LIKE can use the index of trigrams.
  return sql`${column} LIKE ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`;
}

const shortestIndexed = 3;
const siteShift = 40n;

/**
 * The row numbers that a text index of SQLite finds for a text in one site, when there are at most `most`.
 * Undefined when there are more, or when the text is shorter than the pieces of the index.
 */
export async function matchingKeys(
  db: Queries,
  index: string,
  siteId: string,
  text: string,
  most: number,
): Promise<number[] | undefined> {
  if (lengthOf(text) < shortestIndexed) return undefined;
  const phrase = `"${text.replaceAll('"', '""')}"`;
  const rows = await db.all<{ number: number }>(sql`
    WITH site AS MATERIALIZED (SELECT number << ${siteShift} AS first FROM sites WHERE id = ${siteId})
    SELECT rowid & ${(1n << siteShift) - 1n} AS number FROM ${raw(index)}
    WHERE ${raw(index)} MATCH ${phrase}
      AND rowid BETWEEN (SELECT first FROM site) AND (SELECT first + ${(1n << siteShift) - 1n} FROM site)
    LIMIT ${most + 1}`);
  return rows.length > most ? undefined : rows.map(({ number }) => number);
}
