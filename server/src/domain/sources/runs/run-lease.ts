import { type Timestamp, timestampAfter } from '../../../base/clock.ts';
import type { Transaction } from '../../../storage/database.ts';
import type { SiteData, SiteView } from '../../../storage/site-view.ts';
import { lockSourceIfExists } from '../source/locked-source.ts';
import type { StoredSource } from '../source/source.ts';
import { failuresBefore } from './next-run.ts';
import type { ClaimedRun, StoredResult, StoredRun } from './run.ts';
import { selectDueRuns, selectOpenRuns, startRun, updateRunProgress } from './run-store.ts';

// A run belongs to the process that holds its lease, and only that process changes anything for it. The lease is the due
// time of the running row: when it has passed, any process may take the run over.

/** After this time a run whose process is gone is continued by another one. */
export const runLeaseMilliseconds = 60_000;

/** Claims the next due run of a site for a process. Of each source only one run is claimed at a time. */
export async function claimRun(view: SiteView<Transaction>, holder: string): Promise<StoredRun | undefined> {
  return claimFirst(view, await selectDueRuns(view), { holder, now: view.now });
}

/** As `claimRun`, for a single source. */
export async function claimRunOfSource(
  view: SiteData<Transaction>,
  sourceId: string,
  claim: Claim,
): Promise<StoredRun | undefined> {
  const { db, siteId } = view;
  return claimFirst(view, await selectDueRuns({ db, siteId, now: claim.now }, sourceId), claim);
}

interface Claim {
  readonly holder: string;
  readonly now: Timestamp;
}

/** A run whose process is gone comes before the other runs of its source. */
async function claimFirst(
  view: SiteData<Transaction>,
  due: readonly StoredRun[],
  { holder, now }: Claim,
): Promise<StoredRun | undefined> {
  const { db, siteId } = view;
  for (const { id: dueId, sourceId } of due) {
    if (!(await lockSourceIfExists(view, sourceId))) continue;
    const open = await selectOpenRuns(view, sourceId);
    const running = open.find(({ status }) => status === 'running');
    const run = running ?? open.find(({ id }) => id === dueId);
    if (!run || run.dueAt === null || run.dueAt > now) continue;
    const failures = await failuresBefore(view, run, open);
    const leaseEnd = timestampAfter(now, runLeaseMilliseconds);
    await startRun(db, { siteId, run, holder }, { now, leaseEnd, failures });
    return { ...run, status: 'running', startedAt: run.startedAt ?? now, failures, claims: run.claims + 1 };
  }
  return undefined;
}

/**
 * Renews the lease of a run, stores its results so far, and locks its source. Returns the source, or undefined if it was
 * deleted or another process has the run.
 */
export async function renewLease(
  tx: Transaction,
  claimed: ClaimedRun,
  results: readonly StoredResult[],
  at: Timestamp,
): Promise<StoredSource | undefined> {
  // The source first, as everywhere, to prevent deadlocks.
  const source = await lockSourceIfExists({ db: tx, siteId: claimed.siteId }, claimed.run.sourceId);
  if (!source) return undefined;
  const leaseEnd = timestampAfter(at, runLeaseMilliseconds);
  return (await updateRunProgress(tx, claimed, leaseEnd, results)) ? source : undefined;
}

export { endRun, releaseRun } from './run-store.ts';
