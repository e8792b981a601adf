import type { AccessLevel, AccessRule } from '@gatehouse/client';
import { Badge, Group, Text } from '@mantine/core';
import type { Icon } from '../../components/icons/icon.tsx';
import {
  IconAdjustments,
  IconCreditCard,
  IconFolders,
  IconKey,
  IconUsers,
  IconWorld,
} from '../../components/icons/icons.ts';
import { useTexts } from '../../languages/texts.tsx';
import { AlternativesText } from './conditions/alternative-text.tsx';
import type { GroupNames } from './conditions/group-names.ts';
import classes from './rules.module.css';

export const accessLevels = [
  'public',
  'members',
  'paying_members',
  'groups',
  'code',
  'conditional',
] as const satisfies readonly AccessLevel[];

const accessIcons: Record<AccessLevel, Icon> = {
  public: IconWorld,
  members: IconUsers,
  paying_members: IconCreditCard,
  groups: IconFolders,
  code: IconKey,
  conditional: IconAdjustments,
};

interface AccessTextProps {
  rule: AccessRule;
  groupNames: GroupNames;
}

/** Who has access, according to a rule. */
export function AccessText({ rule, groupNames }: AccessTextProps) {
  const t = useTexts('rules');
  const Icon = accessIcons[rule.access];
  return (
    <Group gap={6} miw={0}>
      <Group gap={6} wrap="nowrap" miw={0}>
        <Icon size={16} stroke={1.6} aria-hidden className={classes.icon} />
        <Text component="span" fw={500}>
          {rule.access === 'groups' ? t(rule.match === 'all' ? 'inAll' : 'inAny') : t(rule.access)}
        </Text>
      </Group>
      {rule.access === 'conditional' && (
        <AlternativesText alternatives={rule.anyOf} groupNames={groupNames} />
      )}
      {(rule.access === 'groups' ? rule.groupIds : []).map((id) => (
        <GroupBadge key={id} id={id} groupNames={groupNames} />
      ))}
    </Group>
  );
}

function GroupBadge({ id, groupNames }: { id: string; groupNames: GroupNames }) {
  const t = useTexts('rules');
  const known = groupNames?.get(id);
  const name = known ?? (groupNames ? t('deletedGroup') : '…');
  return (
    <Badge
      variant="light"
      color={known !== undefined || !groupNames ? 'teal' : 'red'}
      tt="none"
      maw="14rem"
      title={name}
    >
      {name}
    </Badge>
  );
}
