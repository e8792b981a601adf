import { systemClock } from '../../base/clock.ts';
import type { BackgroundSettings } from '../../jobs/background-jobs.ts';
import { emailComposer } from '../../pages/emails/email-composer.ts';
import { startMonitoring } from '../../runtime/monitoring.ts';
import { OperationRunner } from '../../runtime/operation-runner.ts';
import type { OperationCalls, OperationThreadSettings } from '../../runtime/threads/operation-thread.ts';
import { serveCalls } from '../../runtime/threads/serve-calls.ts';
import { tracedDatabase } from '../../runtime/traced-database.ts';
import { sqlitePath } from '../../storage/database-url.ts';
import { openSqlite } from '../../storage/sqlite/sqlite-database.ts';

// The thread of an `OperationThread`: an `OperationRunner` with its own database connection, and in the one that writes
// the background work.

await serveCalls<OperationCalls, OperationThreadSettings<BackgroundSettings>>(
  'work',
  async ({ databaseUrl, settings, role, background, monitoring: chosen }, report) => {
    const isReader = role === 'reader';
    const monitoring = await startMonitoring(chosen, isReader ? 'search' : 'writer', report);
    const { watch, tracing } = monitoring;
    const database = openSqlite(sqlitePath(databaseUrl), { readOnly: isReader, watch });
    const startJobs = async (of: BackgroundSettings) => {
      // Loaded only where it is needed: a thread that only reads starts faster without it.
      const { BackgroundJobs } = await import('../../jobs/background-jobs.ts');
      const inBackground = tracedDatabase(database.background(), tracing);
      return new BackgroundJobs(of, {
        database: inBackground,
        composer: emailComposer,
        clock: systemClock,
        report,
        tracing,
      });
    };
    const jobs = background && (await startJobs(background));
    const runner = new OperationRunner(
      tracedDatabase(database, tracing),
      settings,
      emailComposer,
      (siteId, work) => jobs?.wake(siteId, work),
      monitoring,
    );
    jobs?.start();
    return {
      calls: {
        run({ call, traceparent }) {
          return tracing ? tracing.continue(traceparent, () => runner.run(call)) : runner.run(call);
        },
      },
      metrics: () =>
        [monitoring, database, runner, ...(jobs ? [jobs] : [])].flatMap((part) => part.metrics()),
      async close() {
        await jobs?.stop();
        await database.close();
        if (!tracing) return;
        await tracing.close();
        // Its exporter may still try to send spans to a collector that does not respond.
        process.exit();
      },
    };
  },
);
