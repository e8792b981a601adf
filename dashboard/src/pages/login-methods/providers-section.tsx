import type { LoginProvider } from '@gatehouse/client';
import { maxLoginProviders } from '@gatehouse/contract/limits';
import { Switch } from '@mantine/core';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { LinkButton, LinkText } from '../../components/layout/links.tsx';
import { List, ListRow } from '../../components/layout/list.tsx';
import { Section } from '../../components/layout/section.tsx';
import { factsOfType } from '../../components/login-providers/provider-types.ts';
import { useEnabling } from '../../components/login-providers/use-enabling.ts';
import { Contact } from '../../components/people/contact.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useLoginProviders } from '../../queries/ways-in/login-providers.ts';
import { useMay } from '../../session/site.ts';

/** The providers where members have an account, each with how many use it. */
export function ProvidersSection() {
  const t = useTexts('login');
  const mayWrite = useMay('login-providers:write', 'login-links:write');
  const { data: providers, error, refetch } = useLoginProviders();
  const isFull = providers !== undefined && providers.length >= maxLoginProviders;
  return (
    <Section
      title={t('providers')}
      description={t('providersHelp')}
      action={
        mayWrite &&
        !isFull && (
          <LinkButton size="xs" from="/$site" to="/$site/settings/login/new">
            {t('addProvider')}
          </LinkButton>
        )
      }
    >
      <QueryState query={{ data: providers, error, refetch }} rows={2} />
      {providers?.length === 0 && <NoProviders mayWrite={mayWrite} />}
      {providers && providers.length > 0 && (
        <List label={t('providers')}>
          {providers.map((provider) => (
            <ProviderRow key={provider.id} provider={provider} mayWrite={mayWrite} />
          ))}
        </List>
      )}
    </Section>
  );
}

function NoProviders({ mayWrite }: { mayWrite: boolean }) {
  const t = useTexts('login');
  if (mayWrite) return <Hint>{t('noProviders')}</Hint>;
  return (
    <Hint>
      {t('noProvidersReadOnly')} <Contact needs={['login-providers:write']} isReadOnly />
    </Hint>
  );
}

function ProviderRow({ provider, mayWrite }: { provider: LoginProvider; mayWrite: boolean }) {
  const t = useTexts('login');
  const { id, name, type, issuer, enabled, memberCount } = provider;
  const setEnabled = useEnabling(provider);
  const { icon: Icon } = factsOfType(type);
  const kind = type === 'oidc' ? issuer : t(`type.${type}`);
  return (
    <ListRow
      isTall
      leading={<Icon size={20} stroke={1.6} aria-hidden />}
      trailing={t('members', { count: memberCount })}
      actions={
        <Switch
          aria-label={t('offer', { name })}
          checked={enabled}
          disabled={!mayWrite}
          onChange={(event) => void setEnabled(event.currentTarget.checked)}
        />
      }
    >
      <LinkText
        from="/$site"
        to="/$site/settings/login/$providerId"
        params={{ providerId: id }}
        c="inherit"
        fw={500}
      >
        {name}
      </LinkText>
      {kind !== name && <Hint>{kind}</Hint>}
    </ListRow>
  );
}
