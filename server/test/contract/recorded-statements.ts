import type { Database, Queries, Transaction, Value } from '../../src/storage/database.ts';
import type { Statement } from '../../src/storage/sql/statement.ts';

export type RecordedStatement = Pick<Statement, 'text' | 'values'>;

/** What ran on a database: the statements of each transaction together, every other statement alone. */
export type Recording = RecordedStatement[][];

/** The same database, which adds what runs on it to a recording. */
export function recordStatements(database: Database, recording: Recording): Database {
  return {
    ...database,
    ...recordedQueries(database, (statement) => recording.push([statement])),
    transaction: (work, facts) => {
      const statements: RecordedStatement[] = [];
      return database
        .transaction((tx) => work(recordedTransaction(tx, statements)), facts)
        .finally(() => recording.push(statements));
    },
    forCaller: (caller) =>
      recordedQueries(database.forCaller(caller), (statement) => recording.push([statement])),
  };
}

function recordedTransaction(tx: Transaction, statements: RecordedStatement[]): Transaction {
  return {
    ...tx,
    ...recordedQueries(tx, (statement) => statements.push(statement)),
    insert: (table, columns, rows, ending) => {
      if (rows.length > 0) statements.push(insertStatement(table, columns, rows, ending));
      return tx.insert(table, columns, rows, ending);
    },
    writeToFeed: (items, write) =>
      tx.writeToFeed(items, (inner, all) => write(recordedTransaction(inner, statements), all)),
  };
}

function recordedQueries(queries: Queries, record: (statement: RecordedStatement) => void): Queries {
  const recorded = (statement: Statement): Statement => {
    record({ text: statement.text, values: statement.values });
    return statement;
  };
  return {
    dialect: queries.dialect,
    all: (statement) => queries.all(recorded(statement)),
    get: (statement) => queries.get(recorded(statement)),
    run: (statement) => queries.run(recorded(statement)),
  };
}

/** As the PostgreSQL store writes it; the statements that it sends are recorded by their text, too. */
function insertStatement(
  table: string,
  columns: readonly string[],
  rows: readonly Value[][],
  ending = '',
): RecordedStatement {
  const width = columns.length;
  const lists = rows.map(
    (_, row) => `(${columns.map((_, column) => `$${row * width + column + 1}`).join(', ')})`,
  );
  return {
    text: `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${lists.join(', ')} ${ending}`,
    values: rows.flat(),
  };
}
