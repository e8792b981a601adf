import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { type Queries, type Transaction, toBoolean } from '../database.ts';
import type { SiteData } from '../site-view.ts';
import type { Statement, Value } from './statement.ts';

/** A column, and how its value is converted, if it is not stored as it is. */
interface Column {
  readonly name: string;
  readonly kind: 'plain' | 'boolean' | 'json';
}

/** A column with a boolean or null. SQLite stores a boolean as a number. */
export function booleanColumn(name: string): Column {
  return { name, kind: 'boolean' };
}

/** A column with JSON as text, or null. */
export function jsonColumn(name: string): Column {
  return { name, kind: 'json' };
}

type ColumnsOf<Item> = { readonly [Field in keyof Item]-?: string | Column };

/** In which columns a table has the fields of an item, beside `site_id`. Rows are read as items, and items stored as rows. */
export class Columns<Item extends object> {
  /** For SELECT and RETURNING: every column under the name of its field. */
  readonly list: Sql;
  protected readonly fields: readonly (Column & { readonly field: string })[];
  readonly #converted: readonly (Column & { readonly field: string })[];

  /** @param columns by field; a name alone for a value that is stored as it is */
  constructor(columns: ColumnsOf<Item>) {
    this.fields = Object.entries<string | Column>(columns).map(([field, column]) =>
      typeof column === 'string' ? { field, name: column, kind: 'plain' } : { field, ...column },
    );
    this.#converted = this.fields.filter(({ kind }) => kind !== 'plain');
    this.list = raw(
      this.fields.map(({ field, name }) => (field === name ? name : `${name} AS "${field}"`)).join(', '),
    );
  }

  /** The first item that a statement with `list` returns. */
  async get(db: Queries, statement: Statement): Promise<Item | undefined> {
    const row = await db.get<Record<string, unknown>>(statement);
    return row && this.#toItem(row);
  }

  async all(db: Queries, statement: Statement): Promise<Item[]> {
    const rows = await db.all<Record<string, unknown>>(statement);
    return rows.map((row) => this.#toItem(row));
  }

  /** For `UPDATE … SET`: every field of an item, except those that never change. */
  assignments(item: Item, unchanged: readonly (keyof Item)[]): Sql {
    const changing = this.fields.filter(({ field }) => !unchanged.includes(field as keyof Item));
    return join(changing.map((column) => sql`${raw(column.name)} = ${toValue(item, column)}`));
  }

  /** The row itself becomes the item. */
  #toItem(row: Record<string, unknown>): Item {
    for (const { field, kind } of this.#converted) {
      const value = row[field];
      if (value !== null)
        row[field] = kind === 'json' ? JSON.parse(value as string) : toBoolean(value as boolean | number);
    }
    return row as Item;
  }
}

/** The columns of a table with rows of sites. */
export class TableColumns<Item extends object> extends Columns<Item> {
  readonly #table: string;

  /** @param columns as in the constructor of `Columns` */
  constructor(table: string, columns: ColumnsOf<Item>) {
    super(columns);
    this.#table = table;
  }

  /** The first item of a site. @param rest what follows the condition that it is of this site: `AND …` */
  first(view: SiteData, rest: Sql): Promise<Item | undefined> {
    return this.get(view.db, this.#select(view, rest));
  }

  /** The items of a site. @param rest what follows the condition that they are of this site: `AND …`, `ORDER BY …` */
  find(view: SiteData, rest: Sql): Promise<Item[]> {
    return this.all(view.db, this.#select(view, rest));
  }

  /** A page of the items of a site, newest first. @param condition begins with `AND` */
  page(view: SiteData, after: string | undefined, limit: number, condition = empty): Promise<Item[]> {
    const isAfter = after === undefined ? empty : sql`AND id < ${after}`;
    return this.find(view, sql`${condition} ${isAfter} ORDER BY id DESC LIMIT ${limit}`);
  }

  #select({ siteId }: SiteData, rest: Sql): Sql {
    return sql`SELECT ${this.list} FROM ${raw(this.#table)} WHERE site_id = ${siteId} ${rest}`;
  }

  /**
   * Inserts items of a site.
   * @param more columns with the same value in each row
   * @param ending follows the values
   * @returns the rows that the statement returns
   */
  insert<Row = never>(
    { db, siteId }: SiteData<Transaction>,
    items: readonly Item[],
    { more = {}, ending }: { more?: Readonly<Record<string, Value>>; ending?: string } = {},
  ): Promise<Row[]> {
    const names = ['site_id', ...Object.keys(more), ...this.fields.map(({ name }) => name)];
    const first = [siteId, ...Object.values(more)];
    const rows = items.map((item) => [...first, ...this.fields.map((column) => toValue(item, column))]);
    return db.insert(this.#table, names, rows, ending);
  }
}

function toValue(item: object, { field, kind }: Column & { readonly field: string }): Value {
  const value = (item as Record<string, unknown>)[field] ?? null;
  return (kind === 'json' && value !== null ? JSON.stringify(value) : value) as Value;
}
