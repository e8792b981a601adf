import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Sql } from 'sql-template-tag';
import type { Queries, Value } from './database.ts';
import { translateSqliteError } from './sqlite-errors.ts';

const cachedStatements = 500;

/** One connection with its prepared statements, kept by their text. */
export class SqliteConnection {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #onStatement: (text: string) => void;

  constructor(database: DatabaseSync, onStatement: (text: string) => void) {
    this.database = database;
    this.#onStatement = onStatement;
  }

  all<Row>(statement: Sql): Row[] {
    try {
      return this.#prepare(statement.sql).all(...bound(statement.values)) as Row[];
    } catch (error) {
      throw translateSqliteError(error);
    }
  }

  get<Row>(statement: Sql): Row | undefined {
    try {
      return this.#prepare(statement.sql).get(...bound(statement.values)) as Row | undefined;
    } catch (error) {
      throw translateSqliteError(error);
    }
  }

  run(statement: Sql): number {
    try {
      return Number(this.#prepare(statement.sql).run(...bound(statement.values)).changes);
    } catch (error) {
      throw translateSqliteError(error);
    }
  }

  /** Row by row: here a longer statement gains nothing, and one short text stays prepared. */
  insert<Row>(table: string, columns: readonly string[], rows: readonly Value[][], ending = ''): Row[] {
    const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ${ending}`;
    try {
      const statement = this.#prepare(text);
      const returned: Row[] = [];
      for (const row of rows) {
        const first = statement.get(...bound(row));
        if (first !== undefined) returned.push(first as Row);
      }
      return returned;
    } catch (error) {
      throw translateSqliteError(error);
    }
  }

  exec(script: string): void {
    try {
      this.database.exec(script);
    } catch (error) {
      throw translateSqliteError(error);
    }
  }

  /** The same operations as promises, for work that is written for both stores. */
  queries(): Queries {
    return {
      dialect: 'sqlite',
      all: async (statement) => this.all(statement),
      get: async (statement) => this.get(statement),
      run: async (statement) => this.run(statement),
    };
  }

  close(): void {
    this.database.close();
  }

  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known) return known;
    this.#onStatement(text);
    if (this.#statements.size >= cachedStatements) {
      this.#statements.delete(this.#statements.keys().next().value!);
    }
    const prepared = this.database.prepare(text);
    this.#statements.set(text, prepared);
    return prepared;
  }
}

/** Values as SQLite keeps them: it has no booleans. */
function bound(values: unknown[]): SQLInputValue[] {
  for (let index = 0; index < values.length; index += 1) {
    if (typeof values[index] === 'boolean') values[index] = values[index] ? 1 : 0;
  }
  return values as SQLInputValue[];
}
