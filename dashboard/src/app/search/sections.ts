import { useNavigate } from '@tanstack/react-router';
import { IconFolder, IconUser, IconUserCircle, IconWorld } from '../../components/icons/icons.ts';
import { displayAddress } from '../../format/addresses/email-address.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useMemberSearch } from '../../queries/members/member-search.ts';
import { toQuery, useGroupSearch } from '../../queries/search.ts';
import type { OperatedSite } from '../../session/dashboard-api.ts';
import { useFramedSite } from '../../session/last-site.ts';
import { useMe } from '../../session/me.ts';
import { siteSession } from '../../session/site-session.ts';
import { usePermissionsOn } from '../../session/use-permissions-on.ts';
import { useActions } from './actions.ts';
import { useCommandEntries } from './commands/use-command-entries.ts';
import { includes, matches } from './includes.ts';
import { useRecentEntries } from './recent/use-recent-entries.ts';
import type { SearchEntry } from './search-entry.ts';
import { usePageEntries, useRuleEntries, useSettingEntries, useUnverifiedEntry } from './site-entries.ts';

export interface SearchSection {
  readonly heading: string;
  readonly entries: readonly SearchEntry[];
}

/** The results for a query. Sections without results are left out. */
export function useSearchSections(query: string, isOpen: boolean): SearchSection[] {
  const t = useTexts('shell');
  const texts = useTexts('search');
  const isEmpty = toQuery(query) === undefined;
  const navigate = useNavigate();
  const { operator } = useMe();
  const site = useFramedSite();
  const otherSites = useOtherSites(site);
  const permissions = usePermissionsOn(site?.slug);
  const members = useFoundMembers(site, query, permissions.includes('members:read'));
  const groups = useFoundGroups(site, query, permissions.includes('access-groups:read'));
  const actions = useActions(site);
  const commands = useCommandEntries(site, query);
  const recent = useRecentEntries(site, isOpen && isEmpty);
  const rules = useRuleEntries(site, query);
  const pages = usePageEntries(site);
  const unverified = useUnverifiedEntry(site);
  const settings = useSettingEntries(site);
  const matching = (entries: readonly SearchEntry[]) =>
    entries.filter(({ label, description, keywords }) =>
      matches(`${label} ${description ?? ''} ${keywords ?? ''}`, query),
    );

  const account = {
    key: 'me',
    label: t('me'),
    keys: 'g u',
    icon: IconUserCircle,
    run: () => void navigate({ to: '/me' }),
  };
  const allSites = {
    key: 'sites',
    label: t('allSites'),
    icon: IconWorld,
    run: () => void navigate({ to: '/sites' }),
  };
  const sections: SearchSection[] = [
    { heading: texts('commands'), entries: commands },
    { heading: texts('recent'), entries: recent },
    { heading: t('members'), entries: members },
    { heading: t('groups'), entries: groups },
    { heading: t('rules'), entries: rules },
    { heading: t('pages'), entries: matching(isEmpty ? pages : [...pages, ...unverified]) },
    { heading: t('actions'), entries: matching(actions.ofSite) },
    { heading: t('settings'), entries: isEmpty ? [] : matching(settings) },
    { heading: t('sites'), entries: matching([...otherSites, allSites]) },
    {
      heading: t('account', { name: operator.displayName ?? operator.email }),
      entries: matching([account, ...actions.ofAccount]),
    },
  ];
  // Enter does what is called exactly as typed, such as "Log out", rather than what other words find.
  const isNamed = ({ entries }: SearchSection) =>
    entries.some(({ label }) => label.toLocaleLowerCase() === query.trim().toLocaleLowerCase());
  return sections
    .filter(({ entries }) => entries.length > 0)
    .sort((one, other) => Number(isNamed(other)) - Number(isNamed(one)));
}

/** One entry for each site of the operator except the current one. */
function useOtherSites(current: OperatedSite | undefined): SearchEntry[] {
  const t = useTexts('shell');
  const navigate = useNavigate();
  return useMe()
    .sites.filter((site) => site !== current)
    .map((site) => ({
      key: site.id,
      label: site.title,
      description: site.domain ?? site.slug,
      keywords: t('switchSite'),
      icon: IconWorld,
      run: () => void navigate({ to: '/$site', params: { site: site.slug } }),
    }));
}

/** The members that match the query. */
function useFoundMembers(site: OperatedSite | undefined, typed: string, may: boolean): SearchEntry[] {
  const navigate = useNavigate();
  const wanted = may && site !== undefined && toQuery(typed) !== undefined;
  const { members, isFormer } = useMemberSearch(site?.id, site && siteSession(site).gatehouse, typed, wanted);
  if (!wanted) return [];
  return (
    members
      // Of the previous results, only those that match the current query: Enter must not open another member.
      .filter(({ displayName, email }) => !isFormer || includes(`${displayName ?? ''} ${email}`, typed))
      .map(({ id, email, displayName }) => ({
        key: id,
        label: displayName ?? displayAddress(email),
        ...(displayName && { description: displayAddress(email) }),
        icon: IconUser,
        run: () =>
          void navigate({ to: '/$site/members/$memberId', params: { site: site.slug, memberId: id } }),
      }))
  );
}

/** The access groups whose name matches the query. */
function useFoundGroups(site: OperatedSite | undefined, typed: string, may: boolean): SearchEntry[] {
  const t = useTexts('shell');
  const navigate = useNavigate();
  const wanted = may && site !== undefined && toQuery(typed) !== undefined;
  const { groups, isFormer } = useGroupSearch(site?.id, site && siteSession(site).gatehouse, typed, wanted);
  if (!wanted) return [];
  return groups
    .filter(({ name }) => !isFormer || includes(name, typed))
    .map(({ id, name, memberCount }) => ({
      key: id,
      label: name,
      description: t('memberCount', { count: memberCount }),
      icon: IconFolder,
      run: () => void navigate({ to: '/$site/groups/$groupId', params: { site: site.slug, groupId: id } }),
    }));
}
