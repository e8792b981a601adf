import { systemClock } from '../../base/clock.ts';
import type { BackgroundSettings } from '../../jobs/background-jobs.ts';
import { emailComposer } from '../../pages/emails/email-composer.ts';
import { runOperationThread } from '../../runtime/threads/operation-thread-worker.ts';

// The entry point of a thread of the embedded store. It connects the parts, as `gatehouse.ts` does for the process.

await runOperationThread<BackgroundSettings>({
  composer: emailComposer,
  async createBackground(database, settings, report, { tracing }) {
    // Loaded only where it is needed: a thread that only reads starts faster without it.
    const { BackgroundJobs } = await import('../../jobs/background-jobs.ts');
    return new BackgroundJobs(database, settings, emailComposer, systemClock, report, { tracing });
  },
});
