import type { AccessGroup } from '@gatehouse/client';
import { maxQueryLength } from '@gatehouse/contract/limits';
import { Box, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { IconFilterOff, IconFolders, IconPlus, IconSearch } from '../../components/icons/icons.ts';
import { KeyHint } from '../../components/keyboard/key-hint.tsx';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { EmptyState } from '../../components/layout/empty-state.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { LinkText } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Toolbar } from '../../components/layout/toolbar.tsx';
import { Contact } from '../../components/people/contact.tsx';
import { ScopeBadge } from '../../components/sources/scope-badge.tsx';
import { DataCell, DataRow, DataTable } from '../../components/tables/data-table.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { useShortcuts } from '../../hooks/shortcuts/use-shortcuts.ts';
import { usePageCommand } from '../../hooks/use-page-command.ts';
import { locale } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useOpenedPaths } from '../../queries/access/group-uses.ts';
import { useMay, useSite } from '../../session/site.ts';
import { GroupDialog } from './group-dialog.tsx';
import { useGroups } from './groups-query.ts';

const typingMilliseconds = 150;

/** The access groups of the site. */
export function GroupsPage() {
  const t = useTexts('groups');
  const mayWrite = useMay('access-groups:write');
  const [typed, setTyped] = useState('');
  const [query] = useDebouncedValue(typed.trim(), typingMilliseconds);
  const field = useRef<HTMLInputElement>(null);
  const [creating, { open, close }] = useDisclosure();
  usePageCommand('new-group', open);
  useShortcuts([{ keys: '/', name: 'searchPage', run: () => field.current?.focus() }], 'page');
  const groups = useGroups(query);
  const create = mayWrite && (
    <ActionButton variant="filled" icon={IconPlus} label={t('create')} onClick={open} />
  );

  return (
    <>
      <PageHeader title={t('title')} description={t('description')} actions={create} />
      <search>
        <Toolbar>
          <TextInput
            ref={field}
            type="search"
            size="xs"
            aria-label={t('search')}
            placeholder={t('search')}
            leftSection={<IconSearch size={16} aria-hidden />}
            rightSection={typed === '' && <KeyHint keys="/" />}
            maxLength={maxQueryLength}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </Toolbar>
      </search>
      {groups.data && groups.data.length > 0 && <GroupTable groups={groups.data} />}
      {groups.data?.length === 0 &&
        (query === '' ? (
          <EmptyState
            icon={IconFolders}
            title={t('empty')}
            action={create || <Contact needs={['access-groups:write']} isReadOnly />}
          >
            {t('emptyText')}
          </EmptyState>
        ) : (
          <EmptyState
            icon={IconFilterOff}
            title={t('noMatch')}
            action={<ActionButton label={t('clearSearch')} onClick={() => setTyped('')} />}
          >
            {t('noMatchText')}
          </EmptyState>
        ))}
      <QueryState query={groups} />
      <GroupDialog opened={creating} close={close} />
    </>
  );
}

function GroupTable({ groups }: { groups: readonly AccessGroup[] }) {
  const t = useTexts('groups');
  const opened = useOpenedPaths();
  return (
    <DataTable
      label={t('title')}
      columns={[
        { name: 'name', title: t('name') },
        { name: 'opens', title: t('opensColumn'), from: 'md' },
        { name: 'members', title: t('members'), width: 104, align: 'end' },
        { name: 'changed', title: t('changed'), width: 132, align: 'end', from: 'sm' },
      ]}
    >
      {groups.map((group) => (
        <GroupRow key={group.id} group={group} paths={opened?.(group.id) ?? []} />
      ))}
    </DataTable>
  );
}

function GroupRow({ group, paths }: { group: AccessGroup; paths: readonly string[] }) {
  const { id, name, description, type, sourceId, memberCount, updatedAt } = group;
  const t = useTexts('groups');
  const { slug } = useSite();
  const navigate = useNavigate();
  const open = () => void navigate({ to: '/$site/groups/$groupId', params: { site: slug, groupId: id } });
  return (
    <DataRow onOpen={open}>
      <DataCell title={description ?? undefined}>
        <LinkText from="/$site" to="/$site/groups/$groupId" params={{ groupId: id }} c="inherit" fw={500}>
          {name}
        </LinkText>{' '}
        {type === 'scope' && <ScopeBadge sourceId={sourceId} />}
        {description && <Hint span>{description}</Hint>}
      </DataCell>
      <DataCell quiet title={paths.join(', ')}>
        {paths.join(', ')}
      </DataCell>
      <DataCell align="end">
        <Box component="span" visibleFrom="sm">
          {memberCount.toLocaleString(locale)}
        </Box>
        <Box component="span" hiddenFrom="sm">
          {t('count', { count: memberCount })}
        </Box>
      </DataCell>
      <DataCell quiet align="end">
        {updatedAt && <TimeText at={updatedAt} />}
      </DataCell>
    </DataRow>
  );
}
