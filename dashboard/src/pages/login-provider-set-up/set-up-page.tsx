import { useSearch } from '@tanstack/react-router';
import { NotAllowed } from '../../components/feedback/not-allowed.tsx';
import { BackLink, ReturnLink } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { providerTypeNames } from '../../components/login-providers/provider-types.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useMay } from '../../session/site.ts';
import { GuidedSetUp } from './guided-set-up.tsx';
import type { ProviderSearch } from './provider-search.ts';
import { TypeChoice } from './type-choice.tsx';

/** Adds a login provider: its type, then what to do there and here. */
export function SetUpPage() {
  const t = useTexts('login');
  const mayWrite = useMay('login-providers:write', 'login-links:write');
  const search: ProviderSearch = useSearch({ from: '/$site/settings/login/new' });
  const type = providerTypeNames.find((each) => each === search.type);
  const back = <BackLink to="/$site/settings/login">{t('title')}</BackLink>;
  if (!mayWrite) {
    return (
      <NotAllowed
        title={t('notAllowed')}
        needs={['login-providers:write', 'login-links:write']}
        back={back}
      />
    );
  }
  if (!type) {
    return (
      <>
        <PageHeader title={t('addProvider')} description={t('addProviderText')} back={back} />
        <TypeChoice />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={t('setUpType', { type: t(`type.${type}`) })}
        description={t(`typeHelp.${type}`)}
        back={
          <ReturnLink from="/$site" to="/$site/settings/login/new">
            {t('otherType')}
          </ReturnLink>
        }
      />
      <GuidedSetUp
        // What was entered for one type does not fit another.
        key={type}
        type={type}
      />
    </>
  );
}
