import type { AccessLevel, AccessRule } from '@gatehouse/client';
import { Badge, Group, Text } from '@mantine/core';
import { type Icon, IconCreditCard, IconFolders, IconUsers, IconWorld } from '@tabler/icons-react';
import { useTexts } from '../../languages/texts.tsx';

export const accessLevels = [
  'public',
  'members',
  'paying_members',
  'groups',
] as const satisfies readonly AccessLevel[];

const accessIcons: Record<AccessLevel, Icon> = {
  public: IconWorld,
  members: IconUsers,
  paying_members: IconCreditCard,
  groups: IconFolders,
};

/** The names of the groups by id; undefined while they are loading. */
export type GroupNames = ReadonlyMap<string, string> | undefined;

/** Who has access, according to a rule. */
export function AccessText({ rule, groupNames }: { rule: AccessRule; groupNames: GroupNames }) {
  const t = useTexts('rules');
  const Icon = accessIcons[rule.access];
  return (
    <Group gap={6}>
      <Icon size={16} stroke={1.6} aria-hidden />
      <Text component="span" fw={500}>
        {rule.access === 'groups' ? t(rule.match === 'all' ? 'inAll' : 'inAny') : t(rule.access)}
      </Text>
      {(rule.access === 'groups' ? rule.groupIds : []).map((id) => {
        const known = groupNames?.get(id);
        const name = known ?? (groupNames ? t('deletedGroup') : '…');
        return (
          <Badge
            key={id}
            variant="light"
            color={known !== undefined || !groupNames ? 'teal' : 'red'}
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
