import type { Site } from '@gatehouse/client';
import { Switch, Text } from '@mantine/core';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { IconMail } from '../../components/icons/icons.ts';
import { Hint } from '../../components/layout/hint.tsx';
import { List, ListRow } from '../../components/layout/list.tsx';
import { Section } from '../../components/layout/section.tsx';
import { IconFingerprint } from '../../components/login-providers/provider-icons.ts';
import { StateText } from '../../components/state/state-text.tsx';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSavedSite } from '../../queries/saved-site.ts';
import { useSiteApi } from '../../queries/site-api.ts';
import type { Version } from '../../queries/version.ts';
import { useLoginMethods } from '../../queries/ways-in/login-providers.ts';
import { useMay } from '../../session/site.ts';

/** The ways that need no provider: email, which is always on, and passkeys. */
export function WaysSection() {
  const t = useTexts('login');
  const { data: site, error, refetch } = useSavedSite();
  return (
    <Section title={t('ways')}>
      <QueryState query={{ data: site, error, refetch }} rows={2} />
      {site && (
        <List label={t('ways')}>
          <ListRow
            isTall
            leading={<IconMail size={20} stroke={1.6} aria-hidden />}
            trailing={<StateText state="good">{t('alwaysOn')}</StateText>}
          >
            <Text fw={500}>{t('email')}</Text>
            <Hint>{t('emailHelp')}</Hint>
          </ListRow>
          <PasskeysRow site={site.data} />
        </List>
      )}
    </Section>
  );
}

function PasskeysRow({ site: { allowsPasskeys, scheme } }: { site: Site }) {
  const t = useTexts('login');
  const mayWrite = useMay('site:write');
  const { data: methods } = useLoginMethods();
  const setAllowed = useAllowPasskeys(methods?.passkeys.members ?? 0);
  const isImpossible = scheme === 'http';
  return (
    <ListRow
      isTall
      leading={<IconFingerprint size={20} stroke={1.6} aria-hidden />}
      trailing={methods && t('members', { count: methods.passkeys.members })}
      actions={
        <Switch
          aria-label={t('passkeys')}
          checked={allowsPasskeys && !isImpossible}
          disabled={!mayWrite || isImpossible}
          onChange={(event) => void setAllowed(event.currentTarget.checked)}
        />
      }
    >
      <Text fw={500}>{t('passkeys')}</Text>
      <Hint>{t(isImpossible ? 'passkeysHttp' : 'passkeysHelp')}</Hint>
    </ListRow>
  );
}

/** Allows passkeys or no longer. It asks first if members have some. */
function useAllowPasskeys(memberCount: number): (allowsPasskeys: boolean) => Promise<boolean> {
  const t = useTexts('login');
  const { gatehouse, keys } = useSiteApi();
  const change = useUndoable();
  return (allowsPasskeys) => {
    const question = {
      title: t('passkeysOffTitle'),
      children: t('passkeysOffText', { count: memberCount }),
      confirm: t('turnOff'),
    };
    return change({
      ...(!allowsPasskeys && memberCount > 0 && { question }),
      done: t(allowsPasskeys ? 'passkeysOn' : 'passkeysOff'),
      send: () => gatehouse.site.update({ allowsPasskeys }),
      optimistic: [
        {
          queryKey: keys.settings,
          replace: (saved: Version<Site>) => ({ ...saved, data: { ...saved.data, allowsPasskeys } }),
        },
      ],
      invalidates: [keys.settings, keys.events.all],
    });
  };
}
