import type { Sql } from 'sql-template-tag';

export type Value = string | number | boolean | null;

/** A statement with its values, as `sql` makes it. */
export interface Statement {
  /** With `?` for each value. */
  readonly sql: string;
  /** With `$1` and so on for the values. */
  readonly text: string;
  readonly values: unknown[];
  /** See `asSearch`. */
  readonly isSearch?: boolean;
  /** Whether PostgreSQL prepares it. By default this depends on the number of values. */
  readonly isPrepared?: boolean;
}

/**
 * Marks a statement that may take longer than others, and whose best plan depends on its values. PostgreSQL plans it with
 * them each time, and it does not share a connection with quick statements.
 */
export function asSearch({ sql, text, values }: Statement): Statement {
  return { sql, text, values, isSearch: true };
}

/**
 * Builds the text of a statement only once, for one that runs at every request.
 * @param build uses its arguments only as values in the statement
 */
export function withFixedText<Values extends readonly Value[]>(
  build: (...values: Values) => Sql,
): (...values: Values) => Statement {
  const placeholders = Array.from({ length: build.length }, (_, index): Placeholder => ({ index }));
  const { sql, text, values: used } = build(...(placeholders as unknown as Values));
  const order = used.map((value) => placeholders.indexOf(value as Placeholder));
  if (order.includes(-1)) throw new Error(`A statement with a fixed text has a value of its own: ${text}`);
  return (...values) => ({ sql, text, values: order.map((index) => values[index]) });
}

/** Stands for an argument in the statement. */
interface Placeholder {
  readonly index: number;
}
