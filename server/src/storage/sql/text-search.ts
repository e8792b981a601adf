import sql, { raw, type Sql } from 'sql-template-tag';
import { lengthOf } from '../../base/text/text.ts';
import type { Dialect, Queries } from '../database.ts';
import type { SqliteConnection } from '../sqlite/sqlite-connection.ts';

/** A condition: the column contains the text. Both must be case-folded before; no character is special. */
export function contains(dialect: Dialect, column: Sql, text: string): Sql {
  if (dialect === 'sqlite') return sql`instr(${column}, ${text}) > 0`;
  // LIKE rather than strpos(), because only LIKE can use the trigram index.
  return sql`${column} LIKE ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`;
}

const trigramLength = 3;
const siteShift = 40n;
const lastNumber = (1n << siteShift) - 1n;

/** Whether an SQLite text index can find a text: it consists of trigrams. */
export function isIndexed(text: string): boolean {
  return lengthOf(text) >= trigramLength;
}

/**
 * The trigrams of a case-folded text that an index of `pg_trgm` can find: those of letters and digits. None of a text
 * without three of them in a row.
 */
export function trigramsOf(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const trigrams = words.flatMap((word) => {
    const characters = [...word];
    return characters.slice(2).map((_, start) => characters.slice(start, start + 3).join(''));
  });
  return [...new Set(trigrams)];
}

/** The fewest trigrams that together have every character of an indexed text. */
export function coveringTrigrams(text: string): string[] {
  const characters = [...text];
  const last = characters.length - trigramLength;
  const trigrams = Array.from({ length: Math.ceil(characters.length / trigramLength) }, (_, index) => {
    const start = Math.min(index * trigramLength, last);
    return characters.slice(start, start + trigramLength).join('');
  });
  return [...new Set(trigrams)];
}

/** Which of the rows to read: in this direction, beginning with the row number `from`. */
export interface KeyRange {
  readonly direction: 'asc' | 'desc';
  readonly from?: number | undefined;
  readonly maximum: number;
  /** A condition for the row of the site. Without it nothing is found. */
  readonly siteCondition?: Sql;
}

/**
 * The row numbers of one site whose text may contain a text, in order: those that an SQLite text index has for the
 * trigrams that cover it. A search for all trigrams next to each other takes twice as long, and hardly excludes more. The
 * text must be indexed. A transaction does not find what it has added itself.
 */
export async function candidateKeys(
  db: Queries,
  index: string,
  siteId: string,
  text: string,
  { direction, from, maximum, siteCondition = raw('TRUE') }: KeyRange,
): Promise<number[]> {
  const query = coveringTrigrams(text)
    .map((trigram) => `"${trigram.replaceAll('"', '""')}"`)
    .join(' AND ');
  const [least, greatest] = direction === 'asc' ? [from ?? 0, lastNumber] : [0, from ?? lastNumber];
  const rows = await db.all<{ number: number }>(sql`
    WITH site AS MATERIALIZED (SELECT number << ${siteShift} AS first FROM sites WHERE id = ${siteId} AND ${siteCondition})
    SELECT rowid & ${lastNumber} AS number FROM ${raw(index)}
    WHERE ${raw(index)} MATCH ${query}
      AND rowid BETWEEN (SELECT first + ${least} FROM site) AND (SELECT first + ${greatest} FROM site)
    ORDER BY rowid ${raw(direction)} LIMIT ${maximum}`);
  return rows.map(({ number }) => number);
}

const queuedText = sql`SELECT key FROM members_text_queue LIMIT 1`;

/**
 * Adds the search texts that the open transaction of an SQLite connection has queued to their index, just before the
 * commit. The index writes what it has so far at each statement that can be undone on its own, so it takes them in one.
 */
export function addQueuedTexts(connection: Pick<SqliteConnection, 'get' | 'command'>): void {
  if (!connection.get(queuedText)) return;
  connection.command(
    'INSERT INTO members_text (rowid, search_text) SELECT key, search_text FROM members_text_queue',
  );
  connection.command('DELETE FROM members_text_queue');
}
