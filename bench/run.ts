import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openBench } from './open-bench.ts';
import { buildService, moveToLoadCore } from './process.ts';
import { builtInSite } from './rows/built-in-site.ts';
import { dashboard } from './rows/dashboard.ts';
import { deletions } from './rows/deletions.ts';
import { events } from './rows/events.ts';
import { gate, gatePostgres } from './rows/gate.ts';
import { gateRules } from './rows/gate-rules.ts';
import { idle } from './rows/idle.ts';
import { imports } from './rows/imports.ts';
import { loginStorm } from './rows/login-storm.ts';
import { loginTiming } from './rows/login-timing.ts';
import { pipelines } from './rows/pipelines.ts';
import { memory, startUp } from './rows/process.ts';
import { deepPage, list, oneMember, oneMemberPostgres } from './rows/reads.ts';
import type { Row } from './rows/row.ts';
import { scale } from './rows/scale.ts';
import { scalePostgres } from './rows/scale-postgres.ts';
import { siteWrites } from './rows/site-writes.ts';
import { sources } from './rows/sources.ts';
import { streams } from './rows/streams.ts';
import { upgrade } from './rows/upgrade.ts';
import { webhooks } from './rows/webhooks.ts';
import { workers } from './rows/workers.ts';
import { createBulk, createOne, readsBesideBulk } from './rows/writes.ts';
import { type Measured, printTable, writeResults } from './table.ts';

// `npm run bench [-- --quick] [-- --only get --only list]`: measures Gatehouse against its goals and prints a table.

const rows: Readonly<Record<string, Row>> = {
  get: oneMember,
  list,
  postgres: oneMemberPostgres,
  create: createOne,
  bulk: createBulk,
  'beside-bulk': readsBesideBulk,
  events,
  'site-writes': siteWrites,
  page: deepPage,
  gate,
  'gate-postgres': gatePostgres,
  'gate-rules': gateRules,
  'built-in-site': builtInSite,
  workers,
  'login-storm': loginStorm,
  'login-timing': loginTiming,
  pipelines,
  start: startUp,
  idle,
  scale,
  'scale-postgres': scalePostgres,
  deletions,
  sources,
  imports,
  streams,
  webhooks,
  dashboard,
  upgrade,
  memory,
};

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, quick: { type: 'boolean', default: false } },
});
const names = values.only ?? Object.keys(rows);
const unknown = names.find((name) => !(name in rows));
if (unknown) fail(`There is no benchmark ${unknown}. Choose from: ${Object.keys(rows).join(', ')}.`);
if (cpus().length < 2) fail('The benchmark needs two cores, one for the server and one for the load.');
for (const program of ['wrk', 'taskset']) {
  if (spawnSync('which', [program]).status !== 0)
    fail(`The benchmark needs ${program}; on Debian: apt install wrk`);
}

const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
buildService();
moveToLoadCore();

const { bench, close } = openBench(folder, values.quick);
const measured: Measured[] = [];
for (const name of names) {
  const start = performance.now();
  process.stderr.write(`${name} …`);
  const result = await rows[name]!(bench).then(
    (lines): Measured => ({ name, lines }),
    (error: Error): Measured => ({ name, lines: [], error }),
  );
  process.stderr.write(` ${Math.round((performance.now() - start) / 1_000)} s\n`);
  measured.push(result);
}
await close();
printTable(measured);
if (!values.quick && values.only === undefined) writeResults(measured);
process.exitCode = measured.some(({ error }) => error) ? 1 : 0;

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
