import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Dataset } from '../../data.ts';
import { checks, guard, trusting } from '../../guarded-site.ts';
import { checksPerSecond, startChecks } from '../../load/gate-checks.ts';
import { importList } from '../../load/member-import.ts';
import { type ServerProcess, startGatehouse } from '../../process.ts';
import { type Bench, type Line, members, type Row, round } from '../row.ts';

const goals = { readSeconds: 30, importSeconds: 120, mebibytes: 256, gateMilliseconds: 10 };
const macRoman: Readonly<Record<string, string>> = { ü: '\x9f', ß: '\xa7', é: '\x8e' };
const encoders = {
  'UTF-8': (text: string) => Buffer.from(text),
  'UTF-16': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'Windows-1252': (text: string) => Buffer.from(text, 'latin1'),
  'Mac Roman': (text: string) =>
    Buffer.from(
      text.replaceAll(/[üßé]/g, (letter) => macRoman[letter]!),
      'latin1',
    ),
};

const kinds: readonly [kind: string, separator: string, encoding: keyof typeof encoders][] = [
  ['comma, UTF-8', ',', 'UTF-8'],
  ['semicolon, UTF-8', ';', 'UTF-8'],
  ['tab, UTF-8', '\t', 'UTF-8'],
  ['bar, UTF-8', '|', 'UTF-8'],
  ['semicolon, UTF-16', ';', 'UTF-16'],
  ['semicolon, Windows-1252', ';', 'Windows-1252'],
  ['semicolon, Mac Roman', ';', 'Mac Roman'],
];

/** Lists of members, read with each separator and in each encoding, and imported while the gate is loaded. */
export const imports: Row = async (bench) => [
  ...(await importsOn(bench, 'SQLite', bench.copyOf(await bench.dataset(members)))),
  ...(await importsOn(bench, 'PostgreSQL', await bench.postgresDataset(members))),
];

async function importsOn(bench: Bench, store: string, dataset: Dataset): Promise<Line[]> {
  const site = await guard(dataset);
  const server = await startGatehouse(site.dataset, { environment: trusting });
  const rows = bench.quick ? 10_000 : 100_000;
  const lines: Line[] = [];
  try {
    if (store === 'SQLite') {
      for (const [kind, separator, encoding] of kinds)
        lines.push(await reading(bench, server, rows, kind, encoders[encoding](listOf(rows, separator))));
    }
    const gate = startChecks(server, checks(site));
    const measured = await importTwice(bench, server, rows);
    lines.push(...importLines(store, rows, measured, await gate.end()));
    return lines;
  } finally {
    await server.stop();
  }
}

/** A dry run: the list is read three times, and its members are looked up. */
async function reading(
  bench: Bench,
  server: ServerProcess,
  rows: number,
  kind: string,
  bytes: Buffer,
): Promise<Line> {
  const file = path.join(bench.folder, 'people.csv');
  writeFileSync(file, bytes);
  const { report, seconds, mebibytes } = await importList(server, file, ['--dry-run', '--create-groups']);
  const created = report?.created;
  if (created !== rows) throw new Error(`Of ${rows} rows (${kind}), ${created} would be created.`);
  return {
    work: `dry run of a list of ${rows.toLocaleString('en')} rows, ${kind}`,
    reference: '',
    gatehouse: `${round(seconds)} s, up to ${round(mebibytes)} MiB`,
    measured: `${round(seconds)} s, ${round(mebibytes)} MiB`,
    goal: `under ${goals.readSeconds} s, ${goals.mebibytes} MiB`,
    met: seconds < goals.readSeconds && mebibytes < goals.mebibytes,
  };
}

/** Imports a list, kills the import in the middle, and continues it. */
async function importTwice(bench: Bench, server: ServerProcess, rows: number) {
  const file = path.join(bench.folder, 'people.csv');
  writeFileSync(file, encoders['UTF-16'](listOf(rows, ';')));
  const options = ['--create-groups'];
  const killed = await importList(server, file, options, (child) => {
    const watching = setInterval(() => {
      if (child.exitCode === null && batchesDone(file) < rows / 1_000) return;
      clearInterval(watching);
      child.kill('SIGKILL');
    }, 20);
  });
  const continued = await importList(server, file, options);
  if (killed.report !== null || continued.report?.created !== rows || continued.report.failed > 0)
    throw new Error(`Of ${rows} rows, ${continued.report?.created} were created.`);
  return {
    seconds: killed.seconds + continued.seconds,
    mebibytes: Math.max(killed.mebibytes, continued.mebibytes),
  };
}

function batchesDone(file: string): number {
  try {
    return JSON.parse(readFileSync(`${file}.gatehouse-progress`, 'utf8')).batches;
  } catch {
    return 0; // It is being written, or not yet.
  }
}

function importLines(
  store: string,
  rows: number,
  { seconds, mebibytes }: { readonly seconds: number; readonly mebibytes: number },
  slowest: number,
): Line[] {
  const work = `import of ${rows.toLocaleString('en')} rows in UTF-16, killed in the middle and continued, ${store}`;
  const gatehouse = `${round(seconds)} s, up to ${round(mebibytes)} MiB, gate p99 ${round(slowest)} ms`;
  return [
    {
      work,
      reference: '',
      gatehouse,
      measured: `${round(seconds)} s, ${round(mebibytes)} MiB`,
      goal: `under ${goals.importSeconds} s, ${goals.mebibytes} MiB`,
      met: seconds < goals.importSeconds && mebibytes < goals.mebibytes,
    },
    {
      work: `${work}: gate, ${checksPerSecond} checks a second`,
      reference: '',
      gatehouse,
      measured: `p99 ${round(slowest)} ms`,
      goal: `under ${goals.gateMilliseconds} ms`,
      met: slowest < goals.gateMilliseconds,
    },
  ];
}

/** People with accents, days, and groups of which several are in a cell. */
function listOf(rows: number, separator: string): string {
  const groups = 'Chor;Vorstand';
  const cell = (text: string) => (text.includes(separator) ? `"${text}"` : text);
  const line = (cells: readonly string[]) => `${cells.map(cell).join(separator)}\r\n`;
  const people = Array.from({ length: rows }, (_, n) =>
    line([
      `person${n}@imports.example`,
      `Jürgen Großmann-André ${n}`,
      n % 3 === 0 ? groups : 'Chor',
      '31.12.2019',
    ]),
  );
  return line(['E-Mail', 'Name', 'Gruppen', 'Mitglied seit']) + people.join('');
}
