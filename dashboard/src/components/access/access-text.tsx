import type { AccessLevel, AccessRule } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import { GroupChips } from '../access-groups/group-chips.tsx';
import type { Icon } from '../icons/icon.tsx';
import {
  IconAdjustments,
  IconCreditCard,
  IconFolders,
  IconKey,
  IconUsers,
  IconWorld,
} from '../icons/icons.ts';
import { StateText } from '../state/state-text.tsx';
import { Tag } from '../state/tag.tsx';
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

/** Who has access, according to a rule: the parts of a row that wraps. */
export function AccessText({ rule, names }: AccessTextProps) {
  const t = useTexts('access');
  const { access, groupIds, match, pageCodeIds } = toAccessValues(rule);
  const Icon = accessIcons[access];
  const inSeveral = match === 'all' ? 'inAll' : 'inAny';
  const inGroups = t(groupIds.length > 1 ? inSeveral : 'inOne');
  const kind = access === 'groups' ? inGroups : t(access);
  return (
    <>
      <span className={classes.kind}>
        <Icon size={16} stroke={1.6} aria-hidden />
        {access !== 'conditional' && kind}
      </span>
      {rule.access === 'conditional' && access === 'conditional' && (
        <AlternativesText alternatives={rule.anyOf} names={names} />
      )}
      {groupIds.length > 0 && <Groups ids={groupIds} nameOf={names.groups} />}
      {access !== 'code' && pageCodeIds.length > 0 && (
        <Text component="span" c="dimmed">
          {t('orCode')}
        </Text>
      )}
      {pageCodeIds.map((id) => (
        <Code key={id} id={id} nameOf={names.codes} />
      ))}
    </>
  );
}

function Groups({ ids, nameOf }: { ids: readonly string[]; nameOf: NameOf }) {
  const named = ids.map((id) => ({ id, ...nameOf(id) }));
  return (
    <>
      <GroupChips groups={named.filter(({ isKnown }) => isKnown)} />
      {named.map(({ id, name, isKnown }) => !isKnown && <Missing key={id} name={name} />)}
    </>
  );
}

/** The label of a page code. */
function Code({ id, nameOf }: { id: string; nameOf: NameOf }) {
  const { name, isKnown } = nameOf(id);
  return isKnown ? <Tag title={name}>{name}</Tag> : <Missing name={name} />;
}

/** What no longer exists. */
function Missing({ name }: { name: string }) {
  return <StateText state="bad">{name}</StateText>;
}
