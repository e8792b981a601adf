import { parentPort, workerData } from 'node:worker_threads';
import type { QueuedWork } from '../../base/change-context.ts';
import type { Metric } from '../../base/metrics/metric.ts';
import type { Report } from '../../base/report.ts';
import { reportWarnings } from '../../base/warnings.ts';
import type { EmailComposer } from '../../domain/emails/email-composer.ts';
import type { Database } from '../../storage/database.ts';
import { sqlitePath } from '../../storage/database-url.ts';
import { openSqlite } from '../../storage/sqlite/sqlite-database.ts';
import { type Monitoring, startMonitoring } from '../monitoring.ts';
import { OperationRunner } from '../operation-runner.ts';
import { tracedDatabase } from '../traced-database.ts';
import type {
  FromThread,
  OperationThreadOptions,
  ThreadRequest,
  ThreadResponse,
  ToThread,
} from './operation-thread.ts';
import { faultOf, lowerPriority } from './thread.ts';

/** Work in the thread apart from calls. */
export interface ThreadBackground {
  start(): void;
  wake(siteId: string, work: QueuedWork): void;
  stop(): Promise<void>;
  metrics(): readonly Metric[];
}

export interface OperationThreadParts<Background> {
  readonly composer: EmailComposer;
  /** Creates the background work, if the thread has settings for it. */
  createBackground(
    database: Database,
    settings: Background,
    report: Report,
    monitoring: Monitoring,
  ): Promise<ThreadBackground>;
}

/** Runs in the thread that an `OperationThread` has started: an `OperationRunner` with its own database connection. */
export async function runOperationThread<Background>({
  composer,
  createBackground,
}: OperationThreadParts<Background>): Promise<void> {
  reportWarnings(({ name, message }) => report('warn', message, { warning: name }));
  lowerPriority('work');
  const options = workerData as OperationThreadOptions<Background>;
  const { databaseUrl, settings, role, background } = options;
  const isReader = role === 'reader';
  const port = parentPort!;
  const monitoring = await startMonitoring(options.monitoring, isReader ? 'search' : 'writer', report);
  const { watch, tracing } = monitoring;
  const database = openSqlite(sqlitePath(databaseUrl), { readOnly: isReader, watch });
  const jobs =
    background &&
    (await createBackground(tracedDatabase(database.background(), tracing), background, report, monitoring));
  const runner = new OperationRunner(
    tracedDatabase(database, tracing),
    settings,
    composer,
    (siteId, work) => jobs?.wake(siteId, work),
    monitoring,
  );
  const metrics = () => [
    ...monitoring.metrics(),
    ...database.metrics(),
    ...runner.metrics(),
    ...(jobs?.metrics() ?? []),
  ];
  const responses = new Responses();
  const running = new Set<Promise<void>>();

  port.on('message', async (message: ToThread) => {
    if ('calls' in message) {
      for (const request of message.calls) {
        const done = respond(runner, request, monitoring)
          .then((response) => responses.add(response))
          .finally(() => running.delete(done));
        running.add(done);
      }
      return;
    }
    if ('collect' in message) {
      send({ collected: message.collect, metrics: metrics() });
      return;
    }
    await Promise.all(running);
    await jobs?.stop();
    responses.send();
    await database.close();
    port.close();
    if (!tracing) return;
    await tracing.close();
    // Its exporter may still try to send spans to a collector that does not respond.
    process.exit();
  });

  jobs?.start();
  send({ ready: true });
}

/** Responses of one turn of the event loop are sent in one message. */
class Responses {
  #waiting: ThreadResponse[] = [];

  add(response: ThreadResponse): void {
    this.#waiting.push(response);
    if (this.#waiting.length === 1) setImmediate(() => this.send());
  }

  send(): void {
    if (this.#waiting.length === 0) return;
    send({ responses: this.#waiting });
    this.#waiting = [];
  }
}

function respond(
  runner: OperationRunner,
  { number, call, traceparent }: ThreadRequest,
  { tracing }: Monitoring,
): Promise<ThreadResponse> {
  const run = () => runner.run(call);
  return (tracing ? tracing.continue(traceparent, run) : run()).then(
    (response) => ({ number, response }),
    (error) => ({ number, fault: faultOf(error) }),
  );
}

function report(...[level, message, facts]: Parameters<Report>): void {
  send({ log: { level, message, facts } });
}

function send(message: FromThread): void {
  parentPort!.postMessage(message);
}
