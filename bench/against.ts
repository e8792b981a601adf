import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { embeddedPostgres, systemPostgres } from '../server/test/postgres-programs.ts';
import { type PostgresServer, startPostgres } from '../server/test/postgres-server.ts';
import type { Dataset } from './data.ts';
import { compare } from './load/compare.ts';
import type { LoadRequest, Subject } from './load/load.ts';
import { buildService, moveToLoadCore, type ServerProcess } from './process.ts';
import { newMember } from './rows/members/writes.ts';
import { round } from './rows/row.ts';

// `node bench/against.ts <folder> [--only gate] [--members 10000]`: compares the CPU time of requests with that of another
// checkout, an older version for example. Both need their installed packages.

const { values, positionals } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    members: { type: 'string', default: '10000' },
    store: { type: 'string', multiple: true, default: ['SQLite', 'PostgreSQL'] },
  },
  allowPositionals: true,
});
const [otherFolder] = positionals;
if (otherFolder === undefined) {
  console.error('Name the folder of the other checkout.');
  process.exit(2);
}

const connections = 32;
const slices = { slices: 80, milliseconds: 100 };

/** What a case needs of a checkout. Each one fills its own database, because their tables may differ. */
interface Checkout {
  readonly data: typeof import('./data.ts');
  readonly process: typeof import('./process.ts');
  readonly guard: typeof import('./guarded-site.ts');
}

/** Ten members, each with the number of the request in the address. */
const newMembers = JSON.stringify({
  members: Array.from('abcdefghij', (each) => ({
    email: `${each}.new.memberNNNNNNNNN@example.com`,
    displayName: 'New Member',
  })),
});

interface Prepared {
  readonly dataset: Dataset;
  readonly requests: LoadRequest[];
  readonly environment?: Record<string, string>;
}

const cases: Readonly<Record<string, (dataset: Dataset, checkout: Checkout) => Promise<Prepared>>> = {
  get: async (dataset) => ({
    dataset,
    requests: dataset.sample.map((id) => ({ method: 'GET', path: `/members/${id}` })),
  }),
  list: async (dataset) => ({ dataset, requests: [{ method: 'GET', path: '/members?limit=50' }] }),
  search: async (dataset) => ({
    dataset,
    requests: [{ method: 'GET', path: '/members?q=ottoline&limit=50' }],
  }),
  gate: async (dataset, { guard: { guard, checks, trusting } }) => {
    const site = await guard(dataset);
    return { dataset: site.dataset, requests: checks(site), environment: trusting };
  },
  create: async (dataset) => ({
    dataset,
    requests: [{ method: 'POST', path: '/members', body: newMember }],
  }),
  bulk: async (dataset) => ({
    dataset,
    requests: [{ method: 'POST', path: '/members/bulk', body: newMembers }],
  }),
};

const checkouts = await Promise.all(
  [path.resolve(otherFolder), path.resolve(import.meta.dirname, '..')].map(load),
);
const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
buildService();
moveToLoadCore();
let postgres: PostgresServer | undefined;
if (values.store.includes('PostgreSQL')) {
  postgres = await startPostgres((embeddedPostgres() ?? systemPostgres())!, {
    settings: { shared_buffers: '256MB' },
  });
}
for (const store of values.store) {
  for (const name of values.only ?? Object.keys(cases)) await measure(store, name);
}
await postgres?.stop('immediate');

async function measure(store: string, name: string): Promise<void> {
  const servers: ServerProcess[] = [];
  try {
    const subjects: Subject[] = [];
    for (const [index, checkout] of checkouts.entries()) {
      const file = `sqlite:${path.join(folder, `${name}-${index}.db`)}`;
      const url = store === 'PostgreSQL' ? await postgres!.createDatabase() : file;
      const filled = await checkout.data.fillDatabase(url, Number(values.members));
      const { dataset, requests, environment } = await cases[name]!(filled, checkout);
      const server = await checkout.process.startGatehouse(dataset, environment && { environment });
      servers.push(server);
      subjects.push({ server, load: { requests, connections } });
    }
    const { figures, share, spread } = await compare(subjects[0]!, subjects[1]!, slices);
    const [other, own] = figures.map(
      (each) =>
        `${round(each.cpuMicroseconds)} µs, ${round(each.perSecond)}/s, p99 ${round(each.p99Milliseconds)} ms`,
    );
    console.log(
      `${store} ${name}: ${share.toFixed(3)} ± ${spread.toFixed(3)} of the other's speed (${other} → ${own})`,
    );
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function load(checkout: string): Promise<Checkout> {
  const [data, process, guard] = await Promise.all(
    ['data', 'process', 'guarded-site'].map((name) => import(path.join(checkout, 'bench', `${name}.ts`))),
  );
  return { data, process, guard };
}
