import type { AccessGroup } from '@gatehouse/client';
import { maxQueryLength } from '@gatehouse/contract/limits';
import { Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { IconFilterOff, IconFolders, IconPlus, IconSearch } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { EmptyState } from '../../components/layout/empty-state.tsx';
import { LinkText } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { ScopeBadge } from '../../components/sources/scope-badge.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { usePageCommand } from '../../hooks/use-page-command.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useMay } from '../../session/site.ts';
import { GroupDialog } from './group-dialog.tsx';
import classes from './groups.module.css';
import { useGroups } from './groups-query.ts';

const typingMilliseconds = 150;

/** The access groups of the site. */
export function GroupsPage() {
  const t = useTexts('groups');
  const mayWrite = useMay('access-groups:write');
  const [typed, setTyped] = useState('');
  const [query] = useDebouncedValue(typed.trim(), typingMilliseconds);
  const [creating, { open, close }] = useDisclosure();
  usePageCommand('new-group', open);
  const groups = useGroups(query);
  const create = mayWrite && (
    <ActionButton variant="filled" icon={IconPlus} label={t('create')} onClick={open} />
  );

  return (
    <>
      <PageHeader title={t('title')} description={t('description')} actions={create} />
      <search>
        <TextInput
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          leftSection={<IconSearch size={16} aria-hidden />}
          maxLength={maxQueryLength}
          maw="24rem"
          mb="md"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </search>
      {groups.data && groups.data.length > 0 && <GroupTable groups={groups.data} />}
      {groups.data?.length === 0 &&
        (query === '' ? (
          <EmptyState icon={IconFolders} title={t('empty')} action={create}>
            {t('emptyText')}
          </EmptyState>
        ) : (
          <EmptyState icon={IconFilterOff} title={t('noMatch')}>
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
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th>{t('name')}</th>
          <th>{t('members')}</th>
          <th>{t('changed')}</th>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <GroupRow key={group.id} group={group} />
        ))}
      </tbody>
    </table>
  );
}

function GroupRow({
  group: { id, name, description, type, sourceId, memberCount, updatedAt },
}: {
  group: AccessGroup;
}) {
  const t = useTexts('groups');
  return (
    <tr>
      <td>
        <LinkText from="/$site" to="/$site/groups/$groupId" params={{ groupId: id }} c="inherit" fw={500}>
          {name}
        </LinkText>{' '}
        {type === 'scope' && <ScopeBadge sourceId={sourceId} />}
        {description && (
          <Text size="xs" c="dimmed" lineClamp={2}>
            {description}
          </Text>
        )}
      </td>
      <td>{t('count', { count: memberCount })}</td>
      <td>{updatedAt && <TimeText at={updatedAt} />}</td>
    </tr>
  );
}
