import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { Line } from './rows/row.ts';

export interface Measured {
  readonly name: string;
  readonly lines: readonly Line[];
  /** The error that prevented the measurement. */
  readonly error?: Error;
}

export function printTable(rows: readonly Measured[]): void {
  console.log(tableOf(rows));
}

/** Writes the table to `bench/results.md`, with an explanation. */
export function writeResults(rows: readonly Measured[]): void {
  const [{ model } = { model: 'unknown processor' }] = cpus();
  const machine = `${cpus().length} cores of ${model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const text = `# Results

${new Date().toISOString().slice(0, 10)}, ${process.platform} on ${process.arch}, ${machine}, Node ${process.version}.

Written by \`npm run bench\`. One core runs the server, another the load generator. The floor is the best that Node can do
for the same work. The first figure of a cell is the CPU time of the server per request, which varies least. Shares of
the floor are shares of its throughput for the same CPU time.

${tableOf(rows)}
`;
  writeFileSync(new URL('results.md', import.meta.url), text);
}

function tableOf(rows: readonly Measured[]): string {
  const head = ['Work', 'Floor or reference', 'Gatehouse', 'Measured', 'Goal', 'Met'];
  const cells = rows.flatMap(({ name, lines, error }) =>
    error
      ? [[name, '', '', `not measured: ${error.message.split('\n')[0]}`, '', 'no']]
      : lines.map(({ work, reference, gatehouse, measured, goal, met }) => [
          work,
          reference,
          gatehouse,
          measured,
          goal,
          met ? 'yes' : '**no**',
        ]),
  );
  const widths = head.map((title, column) =>
    Math.max(...[head, ...cells].map((row) => (row[column] ?? title).length)),
  );
  const line = (row: string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n');
}
