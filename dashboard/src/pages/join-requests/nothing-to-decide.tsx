import { IconUserCheck } from '../../components/icons/icons.ts';
import { EmptyState } from '../../components/layout/empty-state.tsx';
import { LinkButton } from '../../components/layout/links.tsx';
import { Contact } from '../../components/people/contact.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSavedSite } from '../../queries/saved-site.ts';
import { useMay } from '../../session/site.ts';

/** No request waits, and how people can request to join if the site does not let them yet. */
export function NothingToDecide() {
  const t = useTexts('joinRequests');
  const mayChange = useMay('site:write');
  const { data } = useSavedSite();
  const site = data?.data;
  if (!site || site.signUp.policy === 'approval' || site.allowsAccessRequests) {
    return (
      <EmptyState icon={IconUserCheck} title={t('empty')}>
        {t('emptyText')}
      </EmptyState>
    );
  }
  const toSettings = (
    <LinkButton variant="default" from="/$site" to="/$site/settings/$section" params={{ section: 'sign-up' }}>
      {t('toSettings')}
    </LinkButton>
  );
  return (
    <EmptyState
      icon={IconUserCheck}
      title={t('empty')}
      action={mayChange ? toSettings : <Contact needs={['site:write']} isReadOnly />}
    >
      {t('closedText')}
    </EmptyState>
  );
}
