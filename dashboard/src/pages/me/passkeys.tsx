import { Text } from '@mantine/core';
import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { List, ListRow } from '../../components/layout/list.tsx';
import { Section } from '../../components/layout/section.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { passFocusOn } from '../../hooks/focus.ts';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { accountKeys } from '../../queries/keys.ts';
import { dashboardApi, type Passkey } from '../../session/dashboard-api.ts';
import { whileLoggedIn } from '../../session/logged-out.ts';
import { AddPasskey } from './add-passkey.tsx';

const queryKey = accountKeys.passkeys;

/** The operator's passkeys: login with a fingerprint, a face, or the PIN of a device. */
export function Passkeys() {
  const t = useTexts('me');
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => whileLoggedIn(dashboardApi.passkeys),
  });
  const supported = browserSupportsWebAuthn();
  return (
    <Section
      title={t('passkeys')}
      description={t(supported ? 'passkeysHelp' : 'passkeysUnsupported')}
      action={supported && <AddPasskey added={() => client.invalidateQueries({ queryKey })} />}
    >
      <QueryState query={{ data, error, refetch }} rows={1} />
      {data?.data.length === 0 && <Hint>{t('noPasskeys')}</Hint>}
      {data && data.data.length > 0 && (
        <List label={t('passkeys')}>
          {data.data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </List>
      )}
    </Section>
  );
}

function PasskeyRow({ passkey: { id, name, createdAt, lastUsedAt } }: { passkey: Passkey }) {
  const t = useTexts('me');
  const change = useUndoable();

  async function remove() {
    await change({
      question: {
        title: t('removePasskeyTitle', { name }),
        children: t('removePasskeyText'),
        confirm: t('removePasskey'),
      },
      done: t('passkeyRemoved', { name }),
      send: () => whileLoggedIn(() => dashboardApi.deletePasskey(id)),
      invalidates: [queryKey],
    });
  }

  return (
    <ListRow
      ref={passFocusOn}
      trailing={
        lastUsedAt
          ? t.rich('passkeyUsed', { time: <TimeText at={lastUsedAt} /> })
          : t.rich('passkeyAdded', { time: <TimeText at={createdAt} /> })
      }
      actions={
        <ActionButton
          label={t('removePasskey')}
          size="xs"
          onClick={remove}
          aria-label={t('removePasskeyTitle', { name })}
        />
      }
    >
      <Text fw={500}>{name}</Text>
    </ListRow>
  );
}
