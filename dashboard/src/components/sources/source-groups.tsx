import type { AccessGroup, Source } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../queries/access-groups.ts';
import { LinkText } from '../layout/links.tsx';
import { List, ListRow } from '../layout/list.tsx';
import { TimeText } from '../time-text.tsx';

const millisecondsPerDay = 86_400_000;

/** The groups of a source, each with its members. */
export function SourceGroups({ source }: { source: Source }) {
  const t = useTexts('sources');
  const { data } = useAccessGroups();
  const groups = data?.filter(({ sourceId }) => sourceId === source.id);
  if (!groups) return null;
  if (groups.length === 0) return <Text c="dimmed">{t('noGroups')}</Text>;
  return (
    <List label={t('groups')}>
      {groups.map((group) => (
        <GroupLine key={group.id} group={group} source={source} />
      ))}
    </List>
  );
}

function GroupLine({ group: { id, name, memberCount }, source }: { group: AccessGroup; source: Source }) {
  const t = useTexts('sources');
  const collection = source.collections.find(({ groupId }) => groupId === id);
  return (
    <ListRow trailing={t('peopleCount', { count: memberCount })}>
      <LinkText from="/$site" to="/$site/groups/$groupId" params={{ groupId: id }} fw={500}>
        {name}
      </LinkText>
      {collection?.missingSince && (
        <Text size="sm" c="var(--mantine-color-error)">
          {t.rich('missing', {
            since: <TimeText at={collection.missingSince} as="date" />,
            time: <TimeText at={daysAfter(collection.missingSince, source.graceDays)} as="date" />,
          })}
        </Text>
      )}
    </ListRow>
  );
}

function daysAfter(time: string, days: number): string {
  return new Date(Date.parse(time) + days * millisecondsPerDay).toISOString();
}
