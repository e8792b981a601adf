import '@mantine/spotlight/styles.css';
import type { Member } from '@gatehouse/client';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconSearch, IconUser, IconUserCircle, IconWorld } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { useTexts } from '../languages/texts.tsx';
import { shownAddress } from '../parts/address.ts';
import { useMemberSearch } from '../parts/member-search.ts';
import { toQuery } from '../parts/search-query.ts';
import type { OperatedSite } from '../session/dashboard-api.ts';
import { useMe } from '../session/me.ts';
import { siteSession } from '../session/site-session.ts';
import { places } from './places.ts';
import { usePermissions } from './use-permissions.ts';

const [store, { open }] = createSpotlight();

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
  const groups: [string, ReactElement[]][] = [
    [
      t('members'),
      members.map(({ id, email, displayName }) => (
        <Spotlight.Action
          key={id}
          label={displayName ?? shownAddress(email)}
          {...(displayName && { description: shownAddress(email) })}
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
  useFirstSelected([query, ...found.flatMap(([, actions]) => actions.map(({ key }) => key))].join());

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
      // Mantine has it fade where the colour is strongest.
      styles={{ actionDescription: { opacity: 1 } }}
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

/** The members that match what is typed. */
function useFoundMembers(site: OperatedSite | undefined, typed: string, may: boolean): readonly Member[] {
  const wanted = may && site !== undefined && toQuery(typed) !== undefined;
  const { members, isFormer } = useMemberSearch(site?.id, site && siteSession(site).gatehouse, typed, wanted);
  if (!wanted) return [];
  // Of those from before, only who fits what is typed by now: Enter must not lead to somebody else.
  if (!isFormer) return members;
  return members.filter(({ displayName, email }) => includes(`${displayName ?? ''} ${email}`, typed));
}

/** Marks the first of what is found, so that Enter opens it. */
function useFirstSelected(found: string): void {
  useEffect(() => {
    const list = document.getElementById(store.getState().listId);
    const first = list?.querySelector('[data-action]');
    if (!first) return;
    list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
    first.setAttribute('data-selected', 'true');
    store.updateState((state) => ({ ...state, selected: 0 }));
  }, [found]);
}
