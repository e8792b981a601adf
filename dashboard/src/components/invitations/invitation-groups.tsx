import { Badge, Group } from '@mantine/core';
import { useAccessGroups } from '../../queries/access-groups.ts';

/** Access groups as badges. After some of them, only their number follows. */
export function GroupBadges({ ids, max = ids.length }: { ids: readonly string[]; max?: number }) {
  const { data: groups } = useAccessGroups();
  const nameOf = (id: string) => groups?.find((group) => group.id === id)?.name ?? (groups ? undefined : '…');
  const names = ids.map(nameOf).filter((name) => name !== undefined);
  const hidden = names.slice(max);
  if (ids.length === 0) return null;
  return (
    <Group gap={4} wrap={max < ids.length ? 'nowrap' : 'wrap'} miw={0}>
      {names.slice(0, max).map((name, index) => (
        <Badge key={index} variant="light" color="gray" c="var(--mantine-color-text)" maw="100%" title={name}>
          {name}
        </Badge>
      ))}
      {hidden.length > 0 && (
        <Badge variant="light" color="gray" c="dimmed" flex="none" title={hidden.join(', ')}>
          +{hidden.length}
        </Badge>
      )}
    </Group>
  );
}
