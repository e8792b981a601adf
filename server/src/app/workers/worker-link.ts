import type { QueuedWork } from '../../base/change-context.ts';
import { GroupLimiter } from '../../http/shared/limits/group-limits.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/** Background work that runs in this process. */
interface Jobs {
  start(): void;
  wake(siteId: string, work: QueuedWork): void;
}

/** What a worker shares with the other workers, through the primary process. */
export class WorkerLink {
  /** Counts for all workers together. */
  readonly limiter: GroupLimiter;
  readonly #send: (message: FromWorker) => void;
  #jobs: Jobs | undefined;
  #hasJobs = false;

  constructor(send: (message: FromWorker) => void) {
    this.#send = send;
    this.limiter = new GroupLimiter((count) => send({ count }));
  }

  /** Background work of all workers, which runs in one of them: in this one when the primary process says so. */
  shareJobs(jobs: Jobs): Jobs {
    return {
      start: () => {
        this.#jobs = jobs;
        if (this.#hasJobs) jobs.start();
      },
      wake: (siteId, work) => {
        if (this.#hasJobs) jobs.wake(siteId, work);
        else this.#send({ wake: [siteId, work] });
      },
    };
  }

  receive(message: ToWorker): void {
    if ('counted' in message) this.limiter.receive(message.counted);
    else if ('wake' in message) this.#jobs?.wake(...message.wake);
    else if ('runJobs' in message && !this.#hasJobs) {
      this.#hasJobs = true;
      this.#jobs?.start();
    }
  }
}
