import { type Icon, IconFolder, IconUser, IconUserCircle, IconWorld } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useTexts } from '../../languages/texts.tsx';
import { shownAddress } from '../../parts/address.ts';
import { useGroupSearch, useMemberSearch } from '../../parts/member-search.ts';
import { toQuery } from '../../parts/search-query.ts';
import type { OperatedSite } from '../../session/dashboard-api.ts';
import { useMe } from '../../session/me.ts';
import { siteSession } from '../../session/site-session.ts';
import { places } from '../places.ts';
import { usePermissions } from '../use-permissions.ts';
import { useActions } from './actions.ts';

/** Something that the search finds. */
export interface SearchEntry {
  readonly key: string;
  readonly label: string;
  readonly description?: string | undefined;
  /** Other words by which it is found. */
  readonly keywords?: string | undefined;
  readonly icon: Icon;
  readonly run: () => void;
}

export interface SearchSection {
  readonly heading: string;
  readonly entries: readonly SearchEntry[];
}

/** What is found by what is typed, without the sections in which nothing is. */
export function useSearchSections(query: string): SearchSection[] {
  const t = useTexts('shell');
  const navigate = useNavigate();
  const { sites, operator } = useMe();
  const { site: slug } = useParams({ strict: false });
  const site = sites.find((each) => each.slug === slug);
  const permissions = usePermissions(slug);
  const members = useFoundMembers(site, query, permissions.includes('members:read'));
  const groups = useFoundGroups(site, query, permissions.includes('access-groups:read'));
  const actions = useActions(site);
  const matching = (entries: readonly SearchEntry[]) =>
    entries.filter(({ label, description, keywords }) =>
      includes(`${label} ${description ?? ''} ${keywords ?? ''}`, query),
    );

  const pages = places
    .filter(({ permission }) => site && permissions.includes(permission))
    .map(({ name, to, icon }) => ({
      key: name,
      label: t(name),
      icon,
      run: () => void navigate({ to, params: { site: slug! } }),
    }));
  const others = sites
    .filter((each) => each !== site)
    .map((each) => ({
      key: each.id,
      label: each.title,
      description: each.domain ?? each.slug,
      keywords: t('switchSite'),
      icon: IconWorld,
      run: () => void navigate({ to: '/$site', params: { site: each.slug } }),
    }));
  const account = {
    key: 'me',
    label: t('me'),
    icon: IconUserCircle,
    run: () => void navigate({ to: '/me' }),
  };
  const sections: SearchSection[] = [
    { heading: t('members'), entries: members },
    { heading: t('groups'), entries: groups },
    { heading: t('pages'), entries: matching(pages) },
    { heading: t('actions'), entries: matching(actions.ofSite) },
    { heading: t('sites'), entries: matching(others) },
    {
      heading: t('account', { name: operator.displayName ?? operator.email }),
      entries: matching([account, ...actions.ofAccount]),
    },
  ];
  return sections.filter(({ entries }) => entries.length > 0);
}

function includes(text: string, typed: string): boolean {
  return text.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase());
}

/** The members that match what is typed. */
function useFoundMembers(site: OperatedSite | undefined, typed: string, may: boolean): SearchEntry[] {
  const navigate = useNavigate();
  const wanted = may && site !== undefined && toQuery(typed) !== undefined;
  const { members, isFormer } = useMemberSearch(site?.id, site && siteSession(site).gatehouse, typed, wanted);
  if (!wanted) return [];
  return (
    members
      // Of those from before, only who fits what is typed by now: Enter must not lead to somebody else.
      .filter(({ displayName, email }) => !isFormer || includes(`${displayName ?? ''} ${email}`, typed))
      .map(({ id, email, displayName }) => ({
        key: id,
        label: displayName ?? shownAddress(email),
        ...(displayName && { description: shownAddress(email) }),
        icon: IconUser,
        run: () =>
          void navigate({ to: '/$site/members/$memberId', params: { site: site.slug, memberId: id } }),
      }))
  );
}

/** The access groups whose names match what is typed. */
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
