import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { accountKeys } from '../queries/keys.ts';
import { useMe } from '../session/me.ts';
import { useSite, useSiteSession } from '../session/site.ts';
import type { SiteSession } from '../session/site-session.ts';
import { AccountRefresh } from './account-refresh.ts';
import { LiveQueries } from './live-queries.ts';
import { SiteFollower } from './site-follower.ts';

/** Keeps what is shown of the site up to date. Shows nothing itself. */
export function LiveUpdates() {
  const { id: siteId } = useSite();
  const session = useSiteSession();
  const { operator } = useMe();
  const client = useQueryClient();
  useEffect(() => {
    const { account, queries, follower } = liveSite(client, session, { siteId, personId: operator.id });
    const stops = [account.start(), queries.start(), follower.start()];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, session, siteId, operator.id]);
  return null;
}

interface LiveSite {
  readonly account: AccountRefresh;
  readonly queries: LiveQueries;
  readonly follower: SiteFollower;
}

/** A site that is opened again continues where it was. */
const sites = new Map<string, LiveSite>();

function liveSite(
  client: QueryClient,
  session: SiteSession,
  { siteId, personId }: { siteId: string; personId: string },
): LiveSite {
  const known = sites.get(siteId);
  if (known) return known;
  const queries = new LiveQueries(client, siteId);
  const refetchAccount = () => client.refetchQueries({ queryKey: accountKeys.all, exact: true });
  const account = new AccountRefresh(() => {
    void refetchAccount();
    session.renew().catch(() => {});
  });
  const follower = new SiteFollower({
    siteId,
    personId,
    after: session.startedAfter,
    onChanges: (changes) => {
      queries.add(changes);
      if (changes.types.some(changesAccount)) account.add();
    },
    onGap: () => {
      queries.addEverything();
      account.add();
    },
    // Shows that the operator has to log in again, and resolves when that is done.
    onRejected: refetchAccount,
  });
  const live = { account, queries, follower };
  sites.set(siteId, live);
  return live;
}

/** Whether the role of the operator, or the name of a site, may have changed. */
function changesAccount(type: string): boolean {
  return ['operator.updated', 'operator.removed', 'site.updated'].includes(type);
}
