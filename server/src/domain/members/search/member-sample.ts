import sql, { join, raw, type Sql } from 'sql-template-tag';
import { limitInOrder } from '../../../storage/sql/row-limit.ts';
import { contains, trigramsOf } from '../../../storage/sql/text-search.ts';
import type { SearchLimits } from './search-limits.ts';

/** The random end of an id, by which the index `members_sample` has one in 64 members of each site. */
const position = raw(`right(id::text, 12) COLLATE "C"`);
const shareOfIndex = raw('1 / 64.0');
/** The share of all positions that are not after the last one of the sample. */
const shareOfSample = raw(`(('x' || left(max(position), 7))::bit(28)::int + 1) / (2.0 ^ 28)`);
/** In the locale C, `pg_trgm` knows no letters but those of ASCII. */
const knowsLetters = raw(`cardinality(show_trgm('é')) > 0`);
/** More conditions would take time, and hardly change the result. */
const maxTrigrams = 8;

/**
 * PostgreSQL only: selects whether few members of a site are expected to have a case-folded text, so that the text index
 * finds them quickly: `is_few`. Expected by a random sample, so that it does not matter where in the site they are.
 * Undefined for a text that the index cannot find.
 */
export function selectIsRare(
  siteId: string,
  text: string,
  { maxSortedLate, sample }: SearchLimits,
): Sql | undefined {
  const trigrams = trigramsOf(text);
  if (trigrams.length === 0) return undefined;
  const column = raw('search_text');
  const hasTrigrams = join(
    spread(trigrams, maxTrigrams).map((trigram) => contains('postgres', column, trigram)),
    ' AND ',
  );
  return sql`
    SELECT ${trigrams.some(isAscii) ? raw('TRUE') : knowsLetters} AND count(*) FILTER (WHERE ${hasTrigrams})
      <= ${maxSortedLate} * CASE WHEN count(*) < ${sample} THEN ${shareOfIndex} ELSE ${shareOfSample} END AS is_few
    FROM (
      SELECT ${position} AS position, search_text FROM members
      WHERE site_id = ${siteId} AND ${position} < '04' ORDER BY ${position} ${limitInOrder('postgres', sample)}
    ) AS sample`;
}

function isAscii(text: string): boolean {
  return /^[ -~]+$/.test(text);
}

/** At most `count` of the items, from all parts of the list. */
function spread<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)]!);
}
