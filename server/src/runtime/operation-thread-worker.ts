import { parentPort, workerData } from 'node:worker_threads';
import type { QueuedWork } from '../base/queued-work.ts';
import type { Report } from '../base/report.ts';
import { reportWarnings } from '../base/warnings.ts';
import type { EmailComposer } from '../domain/emails/email-composer.ts';
import type { Database } from '../storage/database.ts';
import { sqlitePath } from '../storage/database-url.ts';
import { openSqlite } from '../storage/sqlite/sqlite-database.ts';
import { OperationRunner } from './operation-runner.ts';
import type {
  FromThread,
  OperationThreadOptions,
  ThreadReply,
  ThreadRequest,
  ToThread,
} from './operation-thread.ts';
import { faultOf, lowerPriority } from './thread.ts';

/** Work in the thread apart from calls. */
export interface ThreadBackground {
  start(): void;
  wake(siteId: string, work: QueuedWork): void;
  stop(): Promise<void>;
}

export interface OperationThreadParts<Background> {
  readonly composer: EmailComposer;
  /** Creates the background work, if the thread has settings for it. */
  createBackground(database: Database, settings: Background, report: Report): Promise<ThreadBackground>;
}

/** Runs in the thread that an `OperationThread` has started: an `OperationRunner` with its own database connection. */
export async function runOperationThread<Background>({
  composer,
  createBackground,
}: OperationThreadParts<Background>): Promise<void> {
  reportWarnings(({ name, message }) => report('warn', message, { warning: name }));
  lowerPriority();
  const { databaseUrl, settings, role, background } = workerData as OperationThreadOptions<Background>;
  const port = parentPort!;
  const database = openSqlite(sqlitePath(databaseUrl), { readOnly: role === 'reader' });
  const jobs = background && (await createBackground(database.background(), background, report));
  const runner = new OperationRunner(database, settings, composer, (siteId, work) =>
    jobs?.wake(siteId, work),
  );
  const replies = new Replies();
  const running = new Set<Promise<void>>();

  port.on('message', async (message: ToThread) => {
    if ('calls' in message) {
      for (const request of message.calls) {
        const done = answer(runner, request)
          .then((reply) => replies.add(reply))
          .finally(() => running.delete(done));
        running.add(done);
      }
      return;
    }
    await Promise.all(running);
    await jobs?.stop();
    replies.send();
    await database.close();
    port.close();
  });

  jobs?.start();
  send({ ready: true });
}

/** Replies of one turn of the event loop are sent in one message. */
class Replies {
  #waiting: ThreadReply[] = [];

  add(reply: ThreadReply): void {
    this.#waiting.push(reply);
    if (this.#waiting.length === 1) setImmediate(() => this.send());
  }

  send(): void {
    if (this.#waiting.length === 0) return;
    send({ replies: this.#waiting });
    this.#waiting = [];
  }
}

function answer(runner: OperationRunner, { number, call }: ThreadRequest): Promise<ThreadReply> {
  return runner.perform(call).then(
    (outcome) => ({ number, outcome }),
    (error) => ({ number, fault: faultOf(error) }),
  );
}

function report(...[level, message, facts]: Parameters<Report>): void {
  send({ log: { level, message, facts } });
}

function send(message: FromThread): void {
  parentPort!.postMessage(message);
}
