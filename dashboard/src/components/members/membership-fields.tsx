import type { AccessGroup } from '@gatehouse/client';
import { Select, Text } from '@mantine/core';
import { chosenEnd } from '../../format/days.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../queries/access-groups.ts';
import { useSite } from '../../session/site.ts';
import { LastDayInput } from '../last-day-input.tsx';
import { LinkText } from '../layout/links.tsx';

interface GroupSelectProps {
  groupId: string | null;
  choose: (groupId: string | null) => void;
  /** Excludes some of the groups. */
  except?: readonly string[];
}

/** A select for one of the groups that are not managed by an external workspace. */
export function GroupSelect({ groupId, choose, except = [] }: GroupSelectProps) {
  const t = useTexts('common');
  const { data } = useAccessGroups();
  const groups = customGroups(data).filter(({ id }) => !except.includes(id));
  if (data && groups.length === 0) {
    const link = (
      <LinkText from="/$site" to="/$site/groups">
        {t('groupsPage')}
      </LinkText>
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
      nothingFoundMessage={data && t('noSuchGroup')}
      data-autofocus
    />
  );
}

/** The last day of a membership; empty if there is no end. */
export function LastDayField({ day, change }: { day: string; change: (day: string) => void }) {
  const t = useTexts('common');
  const { timeZone } = useSite();
  return (
    <LastDayInput
      label={t('lastDay')}
      description={t('lastDayHelp')}
      error={chosenEnd(day, timeZone, new Date()) === undefined && t('dayOver')}
      value={day}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

/** The groups that are not managed by an external workspace. */
export function customGroups(groups: readonly AccessGroup[] = []): AccessGroup[] {
  return groups.filter(({ type }) => type === 'custom');
}
