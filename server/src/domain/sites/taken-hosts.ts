import { systemContext } from '../../base/change-context.ts';
import { type Timestamp, timestampBefore } from '../../base/clock.ts';
import type { Database } from '../../storage/database.ts';
import { type Change, makeChange } from '../events/change.ts';
import { HostTaken } from './host-claims.ts';
import { type ForeignHost, markClaimReported, selectHostsOfOthers } from './host-store.ts';
import { bareNameOf } from './hosts.ts';

/** A site gets at most one event in this time for each of its names, so that no one can fill its feed. */
const reportMilliseconds = 60 * 60_000;

/**
 * Records an event on each site whose hosts another site was refused, in a transaction of its own. Returns the ids of
 * these sites.
 */
export async function reportTakenHosts(
  database: Database,
  { siteId, domains }: HostTaken,
  at: Timestamp,
): Promise<readonly string[]> {
  const hosts = await selectHostsOfOthers({ db: database, siteId }, domains.map(bareNameOf));
  const since = timestampBefore(at, reportMilliseconds);
  const notified: string[] = [];
  for (const host of firstOfEachName(hosts)) {
    if (host.claimReportedAt !== null && host.claimReportedAt > since) continue;
    const claimed = domains.find((domain) => bareNameOf(domain) === bareNameOf(host.domain))!;
    // The actor would tell who the other site is.
    await database.transaction(
      (db) =>
        makeChange({ db, siteId: host.siteId }, systemContext(at), (change) =>
          recordTakenHost(change, host.domain, claimed, since),
        ),
      { shortOnSite: host.siteId },
    );
    notified.push(host.siteId);
  }
  return notified;
}

function firstOfEachName(hosts: readonly ForeignHost[]): ForeignHost[] {
  const nameOf = ({ siteId, domain }: ForeignHost) => `${siteId} ${bareNameOf(domain)}`;
  return [...new Map(hosts.toReversed().map((host) => [nameOf(host), host])).values()];
}

async function recordTakenHost(
  change: Change,
  domain: string,
  claimed: string,
  since: Timestamp,
): Promise<void> {
  if (!(await markClaimReported(change, domain, since))) return;
  change.record({ type: 'host-claim.refused', data: { domain, claimed } });
}

/** Runs a change outside of the service, and notifies other sites when it has tried to take their hosts. */
export async function reportingTakenHosts<T>(
  database: Database,
  at: Timestamp,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HostTaken) await reportTakenHosts(database, error, at);
    throw error;
  }
}
