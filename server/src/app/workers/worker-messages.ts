import type { QueuedWork } from '../../base/change-context.ts';
import type { CountBatch, CountedBatch } from '../../http/shared/limits/group-limits.ts';
import type { ServiceTokens } from '../service-state.ts';
import type { ReadyService } from '../start/announcement.ts';
import type { ServeSettings } from '../start/serve-settings.ts';

// What the primary process and its workers send each other, as JSON.

/** How a worker starts. A worker that replaces another gets the same settings, whatever the environment is by then. */
export interface WorkerStart {
  readonly number: number;
  readonly settings: ServeSettings;
  readonly tokens: ServiceTokens;
  /** The first one takes the ports and creates what a new installation contains. */
  readonly isFirst: boolean;
  readonly json: boolean;
}

export type ToWorker =
  | { readonly start: WorkerStart }
  | { readonly counted: CountedBatch }
  /** From now on this worker does the background work of all. */
  | { readonly runJobs: true }
  | { readonly wake: Wake }
  | { readonly drain: true }
  | { readonly stop: true };

export type FromWorker =
  | { readonly ready: ReadyService }
  | { readonly count: CountBatch }
  | { readonly wake: Wake };

/** A site has new background work. */
export type Wake = readonly [siteId: string, work: QueuedWork];
