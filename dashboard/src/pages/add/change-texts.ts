import type { Change } from '@gatehouse/member-lists';
import { endText } from '../../format/ends.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../queries/access-groups.ts';
import { useSite } from '../../session/site.ts';

/** What changes about a member who exists, with the values before and after. */
export function useChangeText(): (change: Change) => string {
  const t = useTexts('add');
  const { timeZone } = useSite();
  const { data: groups = [] } = useAccessGroups();
  const nameOf = (id: string) => t('quoted', { name: groups.find((group) => group.id === id)?.name ?? id });
  const end = (at: string | null) => (at === null ? t('noEnd') : endText(at, timeZone));
  const answer = (value: boolean | null) => (value === null ? t('unset') : t(value ? 'yes' : 'no'));
  return (change) => {
    if (change.field === 'group') {
      const values = { group: nameOf(change.groupId), from: end(change.from), to: end(change.to) };
      if (!change.isNew) return t('change.end', values);
      return t(change.to === null ? 'change.joins' : 'change.joinsUntil', values);
    }
    if (change.field === 'paid')
      return t('change.value', { field: t('field.paid'), from: answer(change.from), to: answer(change.to) });
    return t('change.value', {
      field: t(`field.${change.field}`),
      from: change.from === null ? t('unset') : t('quoted', { name: change.from }),
      to: change.to === null ? t('unset') : t('quoted', { name: change.to }),
    });
  };
}
