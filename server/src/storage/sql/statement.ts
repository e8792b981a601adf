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
