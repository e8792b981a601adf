import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { reportWarnings } from '../base/warnings.ts';
import { sqlitePath } from '../storage/database-url.ts';
import { StoreUnavailable } from '../storage/errors.ts';
import { openSqlite } from '../storage/sqlite.ts';
import type { BackgroundSettings, BackgroundWork } from './background-work.ts';
import { Service } from './service.ts';
import type {
  FromThread,
  ServiceThreadOptions,
  ThreadReply,
  ThreadRequest,
  ToThread,
} from './service-thread.ts';

// The thread that `ServiceThread` starts: a service beside a database connection of its own.

/** The thread that answers has nine times the weight where both want the same core. */
const niceness = 10;

reportWarnings(({ name, message }) => send({ log: { level: 'warn', message, facts: { warning: name } } }));
stepBack();
const options = workerData as ServiceThreadOptions;
const port = parentPort!;
const database = openSqlite(sqlitePath(options.databaseUrl), { readOnly: options.role === 'reader' });
const background = options.background && (await createBackground(options.background));
const service = new Service(database, options.settings, (siteId) => background?.wake(siteId));

let replies: ThreadReply[] = [];
const running = new Set<Promise<void>>();

port.on('message', async (message: ToThread) => {
  if ('calls' in message) {
    for (const request of message.calls) {
      const done = answer(request).finally(() => running.delete(done));
      running.add(done);
    }
    return;
  }
  await Promise.all(running);
  await background?.stop();
  sendReplies();
  await database.close();
  port.close();
});

background?.start();
send({ ready: true });

async function answer({ number, call }: ThreadRequest): Promise<void> {
  const reply = await service.perform(call).then(
    (outcome) => ({ number, outcome }),
    (error) => ({
      number,
      fault: { unavailable: error instanceof StoreUnavailable, report: reportOf(error) },
    }),
  );
  replies.push(reply);
  if (replies.length === 1) setImmediate(sendReplies);
}

function sendReplies(): void {
  if (replies.length === 0) return;
  send({ replies });
  replies = [];
}

/** Where there is but one core, whoever answers visitors comes first. Linux knows threads by ids of their own. */
function stepBack(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), niceness);
  } catch {
    // No Linux, or not allowed: it works as well, only less evenly.
  }
}

/** Loaded where it is needed: a thread that only reads starts sooner without it. */
async function createBackground(settings: BackgroundSettings): Promise<BackgroundWork> {
  const { BackgroundWork } = await import('./background-work.ts');
  return new BackgroundWork(database, settings, systemClock, (level, message, facts) =>
    send({ log: { level, message, facts } }),
  );
}

function send(message: FromThread): void {
  port.postMessage(message);
}

function reportOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
