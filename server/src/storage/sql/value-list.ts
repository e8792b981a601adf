import sql, { join, type RawValue, type Sql } from 'sql-template-tag';

/** The right side of `IN`: values in parentheses. An empty list, which SQL itself cannot express, matches nothing. */
export function valueList(values: Iterable<RawValue>): Sql {
  const listed = [...values];
  return listed.length === 0 ? sql`(NULL)` : sql`(${join(listed)})`;
}
