import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import type { Dataset } from './data.ts';
import { checks, guard, trusting } from './guarded-site.ts';
import { type Load, runLoad } from './load/load.ts';
import { moveToLoadCore, type ServerProcess, startFloor, startGatehouse } from './process.ts';
import { type CpuProfile, shareByPart } from './profile-parts.ts';
import { newMember } from './rows/members/writes.ts';
import { members, round } from './rows/row.ts';
import { openBench } from './services/open-bench.ts';

// `node bench/profile.ts`: where the time of a request goes. Writes `bench/profiles.md`.

const seconds = 5;
const connections = 32;
/** Smaller shares are not shown. */
const minShare = 0.005;
/** As in `server/bin/gatehouse.js`. */
const memorySaving = ({ databaseUrl }: Dataset) => [
  '--max-semi-space-size=4',
  `--heap-growing-percent=${databaseUrl.startsWith('postgres') ? 100 : 20}`,
];

/** A load to profile, on a server that is started for it. */
interface Case {
  readonly name: string;
  readonly load: Load;
  start(nodeFlags: readonly string[]): Promise<ServerProcess>;
}

interface Profiled {
  readonly name: string;
  readonly microseconds: number;
  /** By part: its share of the time on the CPU. */
  readonly shares: ReadonlyMap<string, number>;
}

const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-profile-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
moveToLoadCore();
const { bench, close } = openBench(folder, false);

const profiled: Profiled[] = [];
for (const each of await cases()) {
  process.stderr.write(`${each.name} …\n`);
  profiled.push(await profile(each));
}
await close();
writeFileSync(new URL('profiles.md', import.meta.url), textOf(profiled));

async function cases(): Promise<Case[]> {
  const sqlite = await bench.dataset(members);
  const postgres = await bench.postgresDataset(members);
  const read = (path: string): Load => ({ requests: [{ method: 'GET', path }], connections });
  const one = ({ sample }: Dataset): Load => ({
    requests: sample.map((id) => ({ method: 'GET', path: `/members/${id}` })),
    connections,
  });
  const list = read('/members?limit=50');
  const create: Load = {
    requests: [{ method: 'POST', path: '/members', body: newMember }],
    connections: 64,
  };
  const floor = (name: string, load: Load): Case => ({
    name: `${name}, floor`,
    load,
    start: (nodeFlags) => startFloor(sqlite, nodeFlags),
  });
  const gatehouse = (name: string, dataset: Dataset, load: Load, environment = {}): Case => ({
    name,
    load,
    start: (nodeFlags) =>
      startGatehouse(dataset, {
        nodeFlags: [...nodeFlags, ...memorySaving(dataset)],
        environment,
        fromSources: true,
      }),
  });
  const guarded = await guard(bench.copyOf(sqlite));
  const guardedPostgres = await guard(postgres);
  const gate = (site: typeof guarded): Load => ({ requests: checks(site), connections });
  return [
    floor('GET one member', one(sqlite)),
    gatehouse('GET one member, SQLite', sqlite, one(sqlite)),
    gatehouse('GET one member, PostgreSQL', postgres, one(postgres)),
    floor('GET a list of 50', list),
    gatehouse('GET a list of 50, SQLite', sqlite, list),
    gatehouse('GET a list of 50, PostgreSQL', postgres, list),
    gatehouse('gate check, SQLite', guarded.dataset, gate(guarded), trusting),
    gatehouse('gate check, PostgreSQL', postgres, gate(guardedPostgres), trusting),
    gatehouse('POST one member, SQLite', bench.copyOf(sqlite), create),
    gatehouse('POST one member, PostgreSQL', postgres, create),
  ];
}

async function profile({ name, load, start }: Case): Promise<Profiled> {
  const profiles = path.join(folder, name.replaceAll(/\W+/g, '-'));
  mkdirSync(profiles);
  const server = await start(['--cpu-prof', `--cpu-prof-dir=${profiles}`]);
  let begin = 0;
  let microseconds = 0;
  try {
    await runLoad(server, load, 3, folder);
    begin = Number(process.hrtime.bigint() / 1_000n);
    ({ cpuMicroseconds: microseconds } = await runLoad(server, load, seconds, folder));
  } finally {
    await server.stop();
  }
  const read = (file: string): CpuProfile => JSON.parse(readFileSync(path.join(profiles, file), 'utf8'));
  const span = { begin, end: begin + seconds * 1e6 };
  return { name, microseconds, shares: shareByPart(readdirSync(profiles).map(read), span) };
}

function textOf(all: readonly Profiled[]): string {
  const named = all.flatMap(({ shares }) => [...shares].filter(([, share]) => share >= minShare));
  const parts = [...new Set(named.map(([part]) => part))];
  const total = (part: string) => all.reduce((sum, { shares }) => sum + (shares.get(part) ?? 0), 0);
  parts.sort((one, other) => total(other) - total(one));
  const cell = ({ microseconds, shares }: Profiled, part: string) => {
    const share = shares.get(part) ?? 0;
    return share < minShare ? '' : round(share * microseconds);
  };
  const rows = [
    ['µs of a request', ...all.map(({ name }) => name)],
    ['---', ...all.map(() => '---:')],
    ['**all**', ...all.map(({ microseconds }) => `**${round(microseconds)}**`)],
    ...parts.map((part) => [part, ...all.map((each) => cell(each, part))]),
  ];
  const table = rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
  return `# Profiles

${new Date().toISOString().slice(0, 10)}, one core of ${cpus()[0]?.model.trim()}, Node ${process.version}.

Written by \`node bench/profile.ts\`: the CPU time of a request by the code that was running, with profiles of V8 for all
threads, ${seconds} s each after 3 s to warm up. A row counts the code itself, not what it calls; native code counts for its
caller. *Native code* is what V8 cannot name: system calls, the HTTP parser, and compiling. The time of SQLite
includes the wait for the disk at a commit. Taking a profile makes a request slower: only the shares matter.

${table}
`;
}
