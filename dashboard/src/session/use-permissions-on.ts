import type { Permission } from '@gatehouse/client';
import { useSyncExternalStore } from 'react';
import { useMe } from './me.ts';
import { siteSession } from './site-session.ts';

/** The operator's permissions on a site; empty for a site of other operators. */
export function usePermissionsOn(slug: string | undefined): readonly Permission[] {
  const site = useMe().sites.find((each) => each.slug === slug);
  const session = site && siteSession(site);
  return useSyncExternalStore(
    session?.subscribe ?? subscribeToNothing,
    () => session?.permissions ?? nothing,
  );
}

const nothing: readonly Permission[] = [];
const subscribeToNothing = () => () => {};
