import type { Overview } from '@gatehouse/client';
import { Figures } from '../../components/figures/figures.tsx';
import { useTexts } from '../../languages/texts.tsx';

/** The numbers of members by state. */
export function Numbers({ overview: { members, accessGroups } }: { overview: Overview }) {
  const t = useTexts('overview');
  return (
    <Figures
      label={t('numbers')}
      figures={[
        [t('members'), members.total],
        [t('paid'), members.paid],
        [t('verified'), members.verified],
        [t('blocked'), members.blocked],
        [t('accessGroups'), accessGroups],
      ]}
    />
  );
}
