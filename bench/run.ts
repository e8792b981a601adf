import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildService, moveToLoadCore } from './process.ts';
import { gate, gatePostgres } from './rows/access/gate.ts';
import { gateRules } from './rows/access/gate-rules.ts';
import { joinTiming } from './rows/access/join-timing.ts';
import { loginStorm } from './rows/access/login-storm.ts';
import { loginTiming } from './rows/access/login-timing.ts';
import { sources } from './rows/events/sources.ts';
import { deletions } from './rows/members/deletions.ts';
import { membershipFilters } from './rows/members/membership-filters.ts';
import { deepPage, list, oneMember, oneMemberPostgres } from './rows/members/reads.ts';
import { siteWrites } from './rows/members/site-writes.ts';
import { createBulk, createOne, readsBesideBulk } from './rows/members/writes.ts';
import type { Row } from './rows/row.ts';
import { idle } from './rows/service/idle.ts';
import { pipelines } from './rows/service/pipelines.ts';
import { memory, startUp } from './rows/service/process.ts';
import { scale } from './rows/service/scale.ts';
import { scalePostgres } from './rows/service/scale-postgres.ts';
import { upgrade } from './rows/service/upgrade.ts';
import { openBench } from './services/open-bench.ts';
import { type Measured, printTable, writeResults } from './table.ts';

// `npm run bench [-- --quick] [-- --only get --only list]`: measures Gatehouse against its goals and prints a table.

const rows: Readonly<Record<string, Row>> = {
  get: oneMember,
  list,
  postgres: oneMemberPostgres,
  create: createOne,
  bulk: createBulk,
  'beside-bulk': readsBesideBulk,
  'site-writes': siteWrites,
  page: deepPage,
  gate,
  'gate-postgres': gatePostgres,
  'gate-rules': gateRules,
  'login-storm': loginStorm,
  'login-timing': loginTiming,
  'join-timing': joinTiming,
  pipelines,
  start: startUp,
  idle,
  scale,
  'scale-postgres': scalePostgres,
  'membership-filters': membershipFilters,
  deletions,
  sources,
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
