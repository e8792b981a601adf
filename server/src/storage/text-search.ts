import sql, { raw, type Sql } from 'sql-template-tag';
import { lengthOf } from '../base/text.ts';
import type { Dialect, Queries } from './database.ts';

/** A condition: the column contains the text. Both must be case-folded before; no character is special. */
export function contains(dialect: Dialect, column: Sql, text: string): Sql {
  if (dialect === 'sqlite') return sql`instr(${column}, ${text}) > 0`;
  // LIKE rather than strpos(), because only LIKE can use the trigram index.
  return sql`${column} LIKE ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`;
}

const minIndexedLength = 3;
const siteShift = 40n;

/**
 * The row numbers that an SQLite text index finds for a text in one site, if there are at most `max`. Undefined when
 * there are more, or when the text is shorter than the trigrams of the index.
 */
export async function matchingKeys(
  db: Queries,
  index: string,
  siteId: string,
  text: string,
  max: number,
): Promise<number[] | undefined> {
  if (lengthOf(text) < minIndexedLength) return undefined;
  const phrase = `"${text.replaceAll('"', '""')}"`;
  const rows = await db.all<{ number: number }>(sql`
    WITH site AS MATERIALIZED (SELECT number << ${siteShift} AS first FROM sites WHERE id = ${siteId})
    SELECT rowid & ${(1n << siteShift) - 1n} AS number FROM ${raw(index)}
    WHERE ${raw(index)} MATCH ${phrase}
      AND rowid BETWEEN (SELECT first FROM site) AND (SELECT first + ${(1n << siteShift) - 1n} FROM site)
    LIMIT ${max + 1}`);
  return rows.length > max ? undefined : rows.map(({ number }) => number);
}
