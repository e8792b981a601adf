import type { Permission } from '@gatehouse/client';
import { Checkbox, SegmentedControl, Stack, Text } from '@mantine/core';
import { ChoiceList, ChoiceRow } from '../../../components/forms/choice-list.tsx';
import { Hint, Problem } from '../../../components/layout/hint.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { usePermissionsOfSite } from '../../../session/site.ts';
import {
  describedBy,
  extrasOf,
  type Level,
  levelOf,
  type PermissionArea,
  permissionAreas,
  withLevel,
} from './areas.ts';
import { useAreaName } from './use-area-name.ts';

interface PermissionFieldsProps {
  value: readonly Permission[];
  onChange: (permissions: Permission[]) => void;
  error?: string;
}

/** What a key may do in each area: nothing, view, or change. */
export function PermissionFields({ value, onChange, error }: PermissionFieldsProps) {
  return (
    <Stack gap="xs">
      <ChoiceList isWhole>
        {permissionAreas.map((area) => (
          <AreaRow key={area.name} area={area} value={value} onChange={onChange} />
        ))}
      </ChoiceList>
      {error !== undefined && <Problem>{error}</Problem>}
    </Stack>
  );
}

interface AreaRowProps extends Omit<PermissionFieldsProps, 'error'> {
  area: PermissionArea;
}

function AreaRow({ area, value, onChange }: AreaRowProps) {
  const t = useTexts('keys');
  const name = useAreaName()(area.name);
  const level = levelOf(area, value);
  const described = describedBy(area, level);
  return (
    <ChoiceRow choice={described.length > 0 && <LevelChoice area={area} value={value} onChange={onChange} />}>
      <Stack gap={2} flex="1 1 14rem">
        <Text fw={500}>{name}</Text>
        {described.length > 0 && <Hint>{described.map((each) => t(`permission.${each}`)).join(' · ')}</Hint>}
        {extrasOf(area, level).map((extra) => (
          <ExtraChoice key={extra} permission={extra} value={value} onChange={onChange} />
        ))}
      </Stack>
    </ChoiceRow>
  );
}

/** Operators can grant only permissions that they have themselves. */
function LevelChoice({ area, value, onChange }: AreaRowProps) {
  const t = useTexts('keys');
  const name = useAreaName()(area.name);
  const own = usePermissionsOfSite();
  const offered = (['none', 'read', 'write'] as const).filter((level) => level === 'none' || area[level]);
  const isMissing = (level: Level) => level !== 'none' && !own.includes(area[level]!);
  return (
    <SegmentedControl
      size="xs"
      aria-label={name}
      {...(offered.some(isMissing) && { title: t('notYours') })}
      value={levelOf(area, value)}
      onChange={(level) => onChange(withLevel(area, level as Level, value))}
      data={offered.map((level) => ({
        value: level,
        label: t(`level.${level}`),
        disabled: isMissing(level),
      }))}
    />
  );
}

interface ExtraChoiceProps extends Omit<AreaRowProps, 'area'> {
  permission: Permission;
}

function ExtraChoice({ permission, value, onChange }: ExtraChoiceProps) {
  const t = useTexts('keys');
  const may = usePermissionsOfSite().includes(permission);
  return (
    <Checkbox
      size="xs"
      label={t(`permission.${permission}`)}
      {...(!may && { description: t('notYours') })}
      disabled={!may}
      checked={value.includes(permission)}
      onChange={(event) =>
        onChange(
          event.currentTarget.checked ? [...value, permission] : value.filter((each) => each !== permission),
        )
      }
    />
  );
}
