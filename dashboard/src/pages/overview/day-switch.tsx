import { defaultOverviewDays, overviewDays } from '@gatehouse/contract/limits';
import { SwitchLink, SwitchLinks } from '../../components/page/switch-links.tsx';
import { useTexts } from '../../languages/texts.tsx';

/** Chooses how many days the overview covers. */
export function DaySwitch() {
  const t = useTexts('overview');
  return (
    <SwitchLinks label={t('period')}>
      {overviewDays.map((days) => (
        <SwitchLink
          key={days}
          from="/$site"
          to="/$site"
          search={{ days: days === defaultOverviewDays ? undefined : days }}
          activeOptions={{ exact: true }}
          resetScroll={false}
          replace
        >
          {t('days', { days })}
        </SwitchLink>
      ))}
    </SwitchLinks>
  );
}
