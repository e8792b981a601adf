import type { StoredRun } from '../../../domain/sources/runs/run.ts';
import type { Database } from '../../../storage/database.ts';
import type { SourceMembers } from '../collections/source-members.ts';
import type { Confirmation } from './confirmation.ts';
import type { HeldLease } from './held-lease.ts';
import type { RunResults } from './run-results.ts';

/** A run in this process, as its steps use it. */
export interface SyncRun {
  readonly siteId: string;
  readonly run: StoredRun;
  /** To read. What changes something goes through the lease. */
  readonly database: Database;
  readonly lease: HeldLease;
  readonly results: RunResults;
  readonly confirmation: Confirmation;
  /** As of the time before anybody is removed. */
  readonly members: SourceMembers;
}
