import '@mantine/spotlight/styles.css';
import type { Member } from '@gatehouse/client';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconSearch, IconUser, IconUserCircle, IconWorld } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useTexts } from '../languages/texts.tsx';
import type { OperatedSite } from '../session/dashboard-api.ts';
import { useMe } from '../session/me.ts';
import { siteSession } from '../session/site-session.ts';
import { places } from './places.ts';
import { usePermissions } from './use-permissions.ts';

const [store, { open }] = createSpotlight();
const typingMilliseconds = 150;
const mostMembers = 8;

/** Goes to any page, member or site by its name. Opens each time that `wanted` grows. */
export function Search({ wanted }: { wanted: number }) {
  const t = useTexts('shell');
  const [query, setQuery] = useState('');
  const navigate = useNavigate();
  const { sites } = useMe();
  const { site: slug } = useParams({ strict: false });
  const site = sites.find((each) => each.slug === slug);
  const permissions = usePermissions(slug);
  const members = useFoundMembers(site, query, permissions.includes('members:read'));
  useEffect(open, [wanted]);

  const pages = site ? places.filter(({ permission }) => permissions.includes(permission)) : [];
  const matches = (text: string) => includes(text, query);
  const groups: [string, ReactNode[]][] = [
    [
      t('members'),
      members.map(({ id, email, displayName }) => (
        <Spotlight.Action
          key={id}
          label={displayName ?? email}
          {...(displayName && { description: email })}
          leftSection={<IconUser size={18} aria-hidden />}
          onClick={() => navigate({ to: '/$site/members/$memberId', params: { site: slug!, memberId: id } })}
        />
      )),
    ],
    [
      t('pages'),
      pages
        .filter(({ name }) => matches(t(name)))
        .map(({ name, to, icon: Icon }) => (
          <Spotlight.Action
            key={name}
            label={t(name)}
            leftSection={<Icon size={18} aria-hidden />}
            onClick={() => navigate({ to, params: { site: slug! } })}
          />
        )),
    ],
    [
      t('sites'),
      sites
        .filter((each) => each !== site && matches(`${each.title} ${each.domain} ${each.slug}`))
        .map((each) => (
          <Spotlight.Action
            key={each.id}
            label={each.title}
            description={each.domain ?? each.slug}
            leftSection={<IconWorld size={18} aria-hidden />}
            onClick={() => navigate({ to: '/$site', params: { site: each.slug } })}
          />
        )),
    ],
    [
      t('account', { name: '' }),
      matches(t('me'))
        ? [
            <Spotlight.Action
              key="me"
              label={t('me')}
              leftSection={<IconUserCircle size={18} aria-hidden />}
              onClick={() => navigate({ to: '/me' })}
            />,
          ]
        : [],
    ],
  ];
  const found = groups.filter(([, actions]) => actions.length > 0);

  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      clearQueryOnClose
      scrollable
      // While it fades away, it could not be opened again.
      transitionProps={{ duration: 0 }}
      maxHeight={420}
      attributes={{ content: { 'aria-label': t('search') } }}
    >
      <Spotlight.Search
        placeholder={t('search')}
        aria-label={t('search')}
        leftSection={<IconSearch size={18} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {found.map(([label, actions]) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {actions}
          </Spotlight.ActionsGroup>
        ))}
        {found.length === 0 && <Spotlight.Empty>{t('nothingFound')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function includes(text: string, typed: string): boolean {
  return text.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase());
}

/** The members that match what is typed; while the next ones are on their way, those before. */
function useFoundMembers(site: OperatedSite | undefined, typed: string, may: boolean): readonly Member[] {
  const [query] = useDebouncedValue(typed.trim(), typingMilliseconds);
  const enabled = may && site !== undefined && query !== '';
  const { data, isPlaceholderData } = useQuery({
    queryKey: [site?.id, 'members', 'search', query],
    queryFn: ({ signal }) =>
      siteSession(site!).gatehouse.members.list({ q: query, limit: mostMembers }, { signal }).page(),
    enabled,
    placeholderData: keepPreviousData,
  });
  if (!enabled || !data) return [];
  // Of those from before, only who fits what is typed by now: Enter must not lead to somebody else.
  if (!isPlaceholderData && query === typed.trim()) return data.data;
  return data.data.filter(({ displayName, email }) => includes(`${displayName ?? ''} ${email}`, typed));
}
