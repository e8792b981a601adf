import { useQueries } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { IconFolder, IconUser } from '../../../components/icons/icons.ts';
import { displayAddress } from '../../../format/addresses/email-address.ts';
import { siteKeys } from '../../../queries/keys.ts';
import type { OperatedSite } from '../../../session/dashboard-api.ts';
import { siteSession } from '../../../session/site-session.ts';
import type { SearchEntry } from '../search-entry.ts';
import { addRecentPage, recentPages } from './recent-pages.ts';

/** Remembers each member and each access group whose page is shown. */
export function useRecentPages(site: OperatedSite | undefined): void {
  const { memberId, groupId } = useParams({ strict: false });
  useEffect(() => {
    if (!site) return;
    if (memberId !== undefined) addRecentPage(site.operatorId, { type: 'member', id: memberId });
    if (groupId !== undefined) addRecentPage(site.operatorId, { type: 'group', id: groupId });
  }, [site, memberId, groupId]);
}

/** Names rarely change, and changing one in the dashboard refetches it. */
const staleTime = 5 * 60_000;

/** The pages of members and groups that the operator opened last. Their names are loaded; those deleted are left out. */
export function useRecentEntries(site: OperatedSite | undefined, isShown: boolean): SearchEntry[] {
  const navigate = useNavigate();
  const { memberId, groupId } = useParams({ strict: false });
  const pages = site && isShown ? recentPages(site.operatorId) : [];
  const others = pages.filter(({ id }) => id !== memberId && id !== groupId);
  const keys = siteKeys(site?.id);
  const found = useQueries({
    queries: others.map(({ type, id }) => ({
      queryKey: type === 'member' ? keys.members.name(id) : keys.groups.name(id),
      queryFn: () => nameOf(site!, type, id),
      staleTime,
      retry: false,
    })),
  });
  return others.flatMap(({ id }, index) => {
    const name = found[index]?.data;
    if (!name || !site) return [];
    const params = { site: site.slug };
    const openMember = () =>
      void navigate({ to: '/$site/members/$memberId', params: { ...params, memberId: id } });
    const openGroup = () =>
      void navigate({ to: '/$site/groups/$groupId', params: { ...params, groupId: id } });
    if ('name' in name) return [{ key: `recent-${id}`, label: name.name, icon: IconFolder, run: openGroup }];
    const address = displayAddress(name.email);
    const description = name.displayName === null ? undefined : address;
    const label = name.displayName ?? address;
    return [{ key: `recent-${id}`, label, description, icon: IconUser, run: openMember }];
  });
}

function nameOf(site: OperatedSite, type: 'member' | 'group', id: string) {
  const { gatehouse } = siteSession(site);
  return type === 'member' ? gatehouse.members.get(id) : gatehouse.accessGroups.get(id);
}
