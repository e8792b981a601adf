import type { SiteOfList } from '@gatehouse/member-lists';
import { useMemo } from 'react';
import { useAccessGroups } from '../../../queries/access-groups.ts';
import { useSite } from '../../../session/site.ts';

/** What a list is read for: the zone of its days, and the names that its groups may have. */
export function useSiteOfList(): SiteOfList {
  const { timeZone } = useSite();
  const { data: groups } = useAccessGroups();
  return useMemo(
    () => ({ timeZone, groupNames: new Set(groups?.map(({ name }) => name)) }),
    [timeZone, groups],
  );
}
