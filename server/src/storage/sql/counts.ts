import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries } from '../database.ts';

/** From `start` (inclusive) to `end` (exclusive). */
export interface TimeSpan {
  readonly start: Timestamp;
  readonly end: Timestamp;
}

/** Runs several counts in one statement. Each is a complete SELECT, so that each can use its own index. */
export async function countEach(db: Queries, counts: readonly Sql[]): Promise<number[]> {
  const columns = counts.map((count, index) => sql`(${count}) AS ${raw(`count_${index}`)}`);
  const row = await db.get<Record<string, number>>(sql`SELECT ${join(columns)}`);
  return Object.values(row!);
}
