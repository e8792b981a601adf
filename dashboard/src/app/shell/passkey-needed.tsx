import { Box, Button, Stack, Text } from '@mantine/core';
import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { Problem } from '../../components/layout/hint.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { AddPasskey } from '../../pages/me/add-passkey.tsx';
import { accountKeys } from '../../queries/keys.ts';
import { dashboardApi } from '../../session/dashboard-api.ts';
import { whileLoggedIn } from '../../session/logged-out.ts';
import { logInWithPasskey } from '../../session/passkey-login.ts';

const queryKey = accountKeys.passkeys;

/** Instead of every page, where passkeys are required: asks for the passkey, or to add the first one. */
export function PasskeyNeeded() {
  const t = useTexts('shell');
  const me = useTexts('me');
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => whileLoggedIn(dashboardApi.passkeys),
  });
  const hasPasskey = data !== undefined && data.data.length > 0;
  const isSupported = browserSupportsWebAuthn();
  return (
    <Box maw="44rem">
      <PageHeader title={t('passkeyNeededTitle')} />
      <Stack align="flex-start">
        <QueryState query={{ data, error, refetch }} rows={1} />
        {data && <Text>{t(hasPasskey ? 'passkeyNeededUse' : 'passkeyNeededAdd')}</Text>}
        {!isSupported && <Text>{me('passkeysUnsupported')}</Text>}
        {data && isSupported && hasPasskey && <UsePasskey />}
        {data && isSupported && !hasPasskey && (
          <AddPasskey added={() => client.invalidateQueries({ queryKey })} isPageAction />
        )}
      </Stack>
    </Box>
  );
}

function UsePasskey() {
  const t = useTexts('shell');
  const login = useMutation({ mutationFn: logInWithPasskey, onSuccess: () => location.reload() });
  return (
    <>
      {login.isError && <Problem>{t('passkeyNeededDeclined')}</Problem>}
      <Button onClick={() => login.mutate()} loading={login.isPending || login.isSuccess}>
        {t('usePasskey')}
      </Button>
    </>
  );
}
