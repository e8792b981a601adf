import type { AccessLevel, AccessRule } from '@gatehouse/client';
import { Badge, Group, Text } from '@mantine/core';
import { type Icon, IconCreditCard, IconFolders, IconUsers, IconWorld } from '@tabler/icons-react';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../parts/access-groups.ts';

export const accessLevels = [
  'public',
  'members',
  'paying_members',
  'groups',
] as const satisfies readonly AccessLevel[];

export const accessIcons: Record<AccessLevel, Icon> = {
  public: IconWorld,
  members: IconUsers,
  paying_members: IconCreditCard,
  groups: IconFolders,
};

/** Who may see it, as a rule says. */
export function AccessText({ rule }: { rule: AccessRule }) {
  const t = useTexts('rules');
  const { data: groups } = useAccessGroups();
  const Icon = accessIcons[rule.access];
  const nameOf = (id: string) => groups?.find((group) => group.id === id)?.name;
  return (
    <Group gap={6}>
      <Icon size={16} stroke={1.6} aria-hidden />
      <Text component="span" fw={500}>
        {rule.access === 'groups' ? t(rule.match === 'all' ? 'inAll' : 'inAny') : t(rule.access)}
      </Text>
      {rule.groupIds?.map((id) => {
        const name = nameOf(id) ?? (groups ? t('deletedGroup') : '…');
        return (
          <Badge
            key={id}
            variant="light"
            color={nameOf(id) || !groups ? 'teal' : 'red'}
            tt="none"
            maw="14rem"
            title={name}
          >
            {name}
          </Badge>
        );
      })}
    </Group>
  );
}
