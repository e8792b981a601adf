import type { Overview, RunError } from '@gatehouse/contract';
import { maxWaitingSources } from '@gatehouse/contract/limits';
import type { SiteData } from '../../../storage/site-view.ts';
import { outcomeOf } from './run-outcome.ts';
import { type EndedSync, selectUnsuccessfulSyncs } from './run-store.ts';

type WaitingSource = NonNullable<Overview['waitingSources']>[number];

/** A workspace that cannot be read for a moment is read again soon, and nobody has to see to it. */
const failuresOfUnavailable = 3;
/** Only few fail without waiting for a person. */
const lookedAt = 5 * maxWaitingSources;

/** The sources that wait for a person, because of how their last synchronization ended, newest first. */
export async function findWaitingSources(view: SiteData): Promise<WaitingSource[]> {
  const syncs = await selectUnsuccessfulSyncs(view, lookedAt);
  return syncs
    .flatMap((sync) => {
      const reason = reasonOf(sync);
      return reason === undefined ? [] : [{ id: sync.id, name: sync.name, type: sync.type, reason }];
    })
    .slice(0, maxWaitingSources);
}

function reasonOf({ status, error, results, failures }: EndedSync): WaitingSource['reason'] | undefined {
  if (status === 'confirmation_required') return status;
  const code: RunError['code'] | undefined = outcomeOf(results, error).failure?.code;
  const isPassing = code === 'unavailable' && failures + 1 < failuresOfUnavailable;
  return isPassing ? undefined : (code as WaitingSource['reason'] | undefined);
}
