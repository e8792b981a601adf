import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { CopiedDatabases, OnRows } from './copy-rows.ts';
import { readLayouts, type TableLayout } from './table-columns.ts';
import { countRows, type RowOfTable, readRows } from './table-rows.ts';

/** A table that is the same in two databases. */
export interface ComparedTable {
  readonly name: string;
  readonly rows: number;
  /** SHA-256 of the values of all rows, in hexadecimal: the same in every store. */
  readonly checksum: string;
}

/** A table that differs, or that has other rows than before. */
export class TablesDiffer extends Error {
  readonly table: string;

  constructor(table: string) {
    super(`The table ${table} is not the same in both databases.`);
    this.name = 'TablesDiffer';
    this.table = table;
  }
}

type Compared = Pick<CopiedDatabases, 'source' | 'target'>;

/**
 * Reads every row of both databases, and compares their values.
 * @throws {TablesDiffer}
 */
export async function compareRows(databases: Compared, onRows: OnRows): Promise<ComparedTable[]> {
  const { source, target } = databases;
  const layouts = await readLayouts(source, target);
  let total = 0;
  for (const { name } of layouts) total += await countRows(source, name);
  let done = 0;
  const tables: ComparedTable[] = [];
  for (const layout of layouts) {
    const onCompared = (count: number) => {
      done += count;
      onRows(done, total);
    };
    tables.push(await compareTable(databases, layout, onCompared));
  }
  return tables;
}

async function compareTable(
  { source, target }: Compared,
  layout: TableLayout,
  onCompared: (count: number) => void,
): Promise<ComparedTable> {
  const hash = createHash('sha256');
  let rows = 0;
  for (let after: RowOfTable | undefined; ; ) {
    const [ofSource, ofTarget] = await Promise.all([
      readRows(source, layout, after),
      readRows(target, layout, after),
      setImmediate(),
    ]);
    const text = textOf(ofSource);
    if (text !== textOf(ofTarget)) throw new TablesDiffer(layout.name);
    if (ofSource.length === 0) return { name: layout.name, rows, checksum: hash.digest('hex') };
    hash.update(text);
    rows += ofSource.length;
    after = ofSource.at(-1);
    onCompared(ofSource.length);
  }
}

function textOf(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
