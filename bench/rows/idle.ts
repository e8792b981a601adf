import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../server/src/base/clock.ts';
import { newId } from '../../server/src/base/ids.ts';
import { createSite } from '../../server/src/domain/sites/sites.ts';
import { BackgroundJobs } from '../../server/src/jobs/background-jobs.ts';
import { emailComposer } from '../../server/src/pages/emails/email-composer.ts';
import type { Database, Queries } from '../../server/src/storage/database.ts';
import { migrate } from '../../server/src/storage/migrations.ts';
import { openDatabase } from '../../server/src/storage/open.ts';
import { changing } from '../../server/test/change.ts';
import { type Line, type Row, round } from './row.ts';

const sites = 1_000;
/** The longest interval between two sweeps for due work. */
const seconds = 60;
const goalPerSecond = 1;

/** The statements that the jobs of an idle process run. */
export const idle: Row = async (bench) => [
  await lineOf('SQLite', `sqlite:${path.join(bench.folder, 'idle.db')}`),
  await lineOf('PostgreSQL', (await bench.postgresDataset(1)).databaseUrl),
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
    counted(database),
    { ...settings, ...noMailServer, workspaces },
    emailComposer,
    systemClock,
    () => {},
  );
  jobs.start();
  await sleep(5_000);
  Object.assign(counts, { statements: 0, transactions: 0 });
  await sleep(seconds * 1_000);
  await jobs.stop();
  return counts;
}
