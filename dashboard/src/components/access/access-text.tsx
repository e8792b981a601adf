import type { AccessLevel, AccessRule } from '@gatehouse/client';
import { Badge, Group, Text } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import type { Icon } from '../icons/icon.tsx';
import {
  IconAdjustments,
  IconCreditCard,
  IconFolders,
  IconKey,
  IconUsers,
  IconWorld,
} from '../icons/icons.ts';
import classes from './access-text.module.css';
import { toAccessValues } from './access-values.ts';
import { AlternativesText } from './alternative-text.tsx';
import type { NameOf, RuleNames } from './rule-names.ts';

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
  names: RuleNames;
}

/** Who has access, according to a rule. */
export function AccessText({ rule, names }: AccessTextProps) {
  const t = useTexts('access');
  const { access, groupIds, match, pageCodeIds } = toAccessValues(rule);
  const Icon = accessIcons[access];
  return (
    <Group gap={6} miw={0}>
      <Group gap={6} wrap="nowrap" miw={0}>
        <Icon size={16} stroke={1.6} aria-hidden className={classes.icon} />
        <Text component="span" fw={500}>
          {access === 'groups' ? t(match === 'all' ? 'inAll' : 'inAny') : t(access)}
        </Text>
      </Group>
      {rule.access === 'conditional' && access === 'conditional' && (
        <AlternativesText alternatives={rule.anyOf} names={names} />
      )}
      {groupIds.map((id) => (
        <NameBadge key={id} id={id} nameOf={names.groups} />
      ))}
      {access !== 'code' && pageCodeIds.length > 0 && (
        <Text component="span" c="dimmed">
          {t('orCode')}
        </Text>
      )}
      {pageCodeIds.map((id) => (
        <NameBadge key={id} id={id} nameOf={names.codes} />
      ))}
    </Group>
  );
}

/** The name of a group or page code; red if it no longer exists. */
function NameBadge({ id, nameOf }: { id: string; nameOf: NameOf }) {
  const { name, isKnown } = nameOf(id);
  return (
    <Badge variant="light" color={isKnown ? 'teal' : 'red'} tt="none" maw="14rem" title={name}>
      {name}
    </Badge>
  );
}
