import type { Permission } from '@gatehouse/client';
import { useSyncExternalStore } from 'react';
import { useMe } from '../session/me.ts';
import { siteSession } from '../session/site-session.ts';

/** What the operator may do on the site that the address names; nothing on one that is not the operator's. */
export function usePermissions(slug: string | undefined): readonly Permission[] {
  const site = useMe().sites.find((each) => each.slug === slug);
  const session = site && siteSession(site);
  return useSyncExternalStore(
    session?.subscribe ?? subscribeToNothing,
    () => session?.permissions ?? nothing,
  );
}

const nothing: readonly Permission[] = [];
const subscribeToNothing = () => () => {};
