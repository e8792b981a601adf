import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { systemContext } from '../../../server/src/base/change-context.ts';
import { systemClock } from '../../../server/src/base/clock.ts';
import { newId } from '../../../server/src/base/ids.ts';
import { makeChange } from '../../../server/src/domain/events/change.ts';
import { createSite } from '../../../server/src/domain/sites/sites.ts';
import { BackgroundJobs } from '../../../server/src/jobs/background-jobs.ts';
import { emailComposer } from '../../../server/src/pages/emails/email-composer.ts';
import type { Database, Queries } from '../../../server/src/storage/database.ts';
import { migrate } from '../../../server/src/storage/migrations/migrations.ts';
import { openDatabase } from '../../../server/src/storage/open.ts';
import { changing } from '../../../server/test/change.ts';
import { embeddedPostgres, systemPostgres } from '../../../server/test/postgres-programs.ts';
import { startPostgres } from '../../../server/test/postgres-server.ts';
import { fillDatabase } from '../../data.ts';
import { type ServerProcess, startGatehouse } from '../../process.ts';
import { type Line, type Row, round } from '../row.ts';

const sites = 1_000;
/** For several processes. */
const manySites = 10_000;
const processes = 4;
const transactionGoalPerSecond = 5;
/** The longest interval between two sweeps for due work. */
const seconds = 60;
const goalPerSecond = 1;

/** The statements that the jobs of an idle process run, and the transactions of several idle processes. */
export const idle: Row = async (bench) => [
  await lineOf('SQLite', `sqlite:${path.join(bench.folder, 'idle.db')}`),
  await lineOf('PostgreSQL', (await bench.postgresDataset(1)).databaseUrl),
  await lineOfProcesses(),
];

async function lineOf(store: string, url: string): Promise<Line> {
  const database = openDatabase(url);
  try {
    await migrate(database);
    for (let site = 0; site < sites; site += 1) {
      await changing(database, newId(), (change) => createSite(change, { slug: `idle-${site}` }));
    }
    const { statements, transactions } = await countFor(database);
    const perSecond = statements / seconds;
    return {
      work: `${store}: statements of an idle process with 1,000 sites`,
      reference: `${seconds} s after the first round`,
      gatehouse: `${statements} statements, ${transactions} transactions`,
      measured: `${round(perSecond)}/s`,
      goal: `under ${goalPerSecond}/s`,
      met: perSecond < goalPerSecond,
    };
  } finally {
    await database.close();
  }
}

/** Everything that PostgreSQL counts as a transaction, such as every statement outside of one, and autovacuum. */
async function lineOfProcesses(): Promise<Line> {
  const server = await startPostgres((embeddedPostgres() ?? systemPostgres())!);
  const running: ServerProcess[] = [];
  // In another database, so that it does not count itself.
  const observer = postgres(server.url(), { max: 1 });
  try {
    const dataset = await fillDatabase(await server.createDatabase('idle'), 1);
    await createSites(dataset.databaseUrl);
    for (let each = 0; each < processes; each += 1) running.push(await startGatehouse(dataset));
    const count = async () => {
      const [row] = await observer<{ count: string }[]>`
        SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = 'idle'`;
      return Number(row!.count);
    };
    // The first round, and the time after which idle connections report what they have counted.
    await sleep(20_000);
    const before = await count();
    await sleep(seconds * 1_000);
    const transactions = (await count()) - before;
    const perSecond = transactions / seconds;
    return {
      work: `PostgreSQL: transactions of ${processes} idle processes with ${manySites.toLocaleString('en')} sites`,
      reference: `${seconds} s after the first round`,
      gatehouse: `${transactions} transactions`,
      measured: `${round(perSecond)}/s`,
      goal: `under ${transactionGoalPerSecond}/s`,
      met: perSecond < transactionGoalPerSecond,
    };
  } finally {
    for (const each of running) await each.stop();
    await observer.end();
    await server.stop('immediate');
  }
}

async function createSites(databaseUrl: string): Promise<void> {
  const database = openDatabase(databaseUrl, { poolSize: 2 });
  const inTransaction = 500;
  for (let first = 0; first < manySites; first += inTransaction) {
    await database.transaction(async (tx) => {
      for (let number = first; number < first + inTransaction; number += 1) {
        const context = systemContext(systemClock().toISOString());
        await makeChange({ db: tx, siteId: newId() }, context, (change) =>
          createSite(change, { slug: `many-${number}` }),
        );
      }
    });
  }
  await database.close();
}

async function countFor(database: Database) {
  const counts = { statements: 0, transactions: 0 };
  const counted = <Each extends Queries>(queries: Each): Each =>
    new Proxy(queries, {
      get(target, name, self) {
        if (['all', 'get', 'run', 'insert'].includes(String(name))) counts.statements += 1;
        if (name !== 'transaction') return Reflect.get(target, name, self);
        const transaction: Database['transaction'] = (work) => {
          counts.transactions += 1;
          return database.transaction((tx) => work(counted(tx)));
        };
        return transaction;
      },
    });
  const emailLimits = { mailbox: 0, sender: 0, signUp: 0, signUpMailbox: 0 };
  const settings = { eventRetentionDays: 90, purgeIntervalSeconds: 60, emailLimits };
  const workspaces = {
    outgoing: { allowedNetworks: [], allowsHttp: false },
    notionUrl: 'https://api.notion.com',
    secretKeys: [],
  };
  const noMailServer = { smtpUrl: undefined, mailFrom: undefined };
  const jobs = new BackgroundJobs(
    { ...settings, ...noMailServer, workspaces },
    { database: counted(database), composer: emailComposer, clock: systemClock, report: () => {} },
  );
  jobs.start();
  await sleep(5_000);
  Object.assign(counts, { statements: 0, transactions: 0 });
  await sleep(seconds * 1_000);
  await jobs.stop();
  return counts;
}
