import type { Overview } from '@gatehouse/client';
import { Figure, Figures } from '../../components/figures/figures.tsx';
import { LinkText } from '../../components/layout/links.tsx';
import { locale } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useMay } from '../../session/site.ts';
import { changesOf, changeText, loginsOf } from './changes.ts';

/** The numbers of a site, each with its change. */
export function SiteFigures({ overview }: { overview: Overview }) {
  const t = useTexts('overview');
  const { members, days, endingMemberships } = overview;
  const mayReadMembers = useMay('members:read');
  const changes = changesOf(overview);
  const changed = (change: number) =>
    change === 0 ? t('unchanged') : t('changed', { change: changeText(change, locale), days: days.length });
  const compared = (change: number) =>
    change === 0 ? t('unchanged') : t('compared', { change: changeText(change, locale) });
  return (
    <Figures label={t('numbers')}>
      <Figure name={t('members')} number={members.total}>
        {changed(changes.total)}
      </Figure>
      <Figure name={t('paid')} number={members.paid}>
        {changed(changes.paid)}
      </Figure>
      <Figure name={t('verified')} number={members.verified}>
        {changed(changes.verified)}
      </Figure>
      <Figure name={t('blocked')} number={members.blocked}>
        {changed(changes.blocked)}
      </Figure>
      <Figure name={t('logins')} number={loginsOf(days)}>
        {changes.logins !== null && compared(changes.logins)}
      </Figure>
      <Figure name={t('endingThisMonth')} number={endingMemberships.thisMonth}>
        {endingMemberships.thisMonth > 0 && mayReadMembers && <EndingLink />}
      </Figure>
    </Figures>
  );
}

/** Leads to the members whose memberships end this month. */
function EndingLink() {
  const t = useTexts('overview');
  return (
    <LinkText from="/$site" to="/$site/members" search={{ status: 'active', ends: 'month' }} size="xs">
      {t('seeMembers')}
    </LinkText>
  );
}
