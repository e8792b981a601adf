import type { AccessGroup } from '@gatehouse/client';
import { Anchor, Select, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../languages/texts.tsx';
import { useSite } from '../session/site.ts';
import { useAccessGroups } from './access-groups.ts';
import { endOfDay, lastDayThereIs, toDay } from './days.ts';

interface GroupSelectProps {
  groupId: string | null;
  choose: (groupId: string | null) => void;
  /** Leaves some of the groups out. */
  except?: readonly string[];
}

/** One of the groups that people may be put into by hand. */
export function GroupSelect({ groupId, choose, except = [] }: GroupSelectProps) {
  const t = useTexts('parts');
  const { slug } = useSite();
  const { data } = useAccessGroups();
  const groups = customGroups(data).filter(({ id }) => !except.includes(id));
  if (data && groups.length === 0) {
    const link = (
      <Anchor renderRoot={(props) => <Link to="/$site/groups" params={{ site: slug }} {...props} />}>
        {t('groupsPage')}
      </Anchor>
    );
    return <Text c="dimmed">{t.rich('noGroup', { groups: link })}</Text>;
  }
  return (
    <Select
      label={t('group')}
      placeholder={t('chooseGroup')}
      value={groupId}
      onChange={choose}
      data={groups.map(({ id, name }) => ({ value: id, label: name }))}
      searchable
      nothingFoundMessage={t('noSuchGroup')}
      data-autofocus
    />
  );
}

/** The last day of a membership; empty for one without an end. */
export function LastDayField({ day, change }: { day: string; change: (day: string) => void }) {
  const t = useTexts('parts');
  return (
    <TextInput
      type="date"
      label={t('lastDay')}
      description={t('lastDayHelp')}
      min={toDay(new Date())}
      max={lastDayThereIs}
      error={endOfDay(day, new Date()) === undefined && t('dayOver')}
      value={day}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

interface MembershipFieldsProps extends GroupSelectProps {
  day: string;
  changeDay: (day: string) => void;
}

/** Into which group, and until when. */
export function MembershipFields({ day, changeDay, ...group }: MembershipFieldsProps) {
  return (
    <Stack>
      <GroupSelect {...group} />
      <LastDayField day={day} change={changeDay} />
    </Stack>
  );
}

/** Those that do not follow an external workspace. */
export function customGroups(groups: readonly AccessGroup[] = []): AccessGroup[] {
  return groups.filter(({ type }) => type === 'custom');
}
