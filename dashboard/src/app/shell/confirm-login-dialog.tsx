import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { IconExternalLink } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Problem } from '../../components/layout/hint.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { accountKeys } from '../../queries/keys.ts';
import { dashboardApi } from '../../session/dashboard-api.ts';
import { onLogin, whileLoggedIn } from '../../session/logged-out.ts';
import { loginAddress, useMe } from '../../session/me.ts';
import { logInWithPasskey } from '../../session/passkey-login.ts';
import { endConfirmation, useIsConfirmingLogin } from '../../session/recent-login.ts';

/**
 * Has the operator log in again, with a passkey or in another tab, and keeps the page and its input. Where passkeys are
 * required, a login by email would not confirm anything.
 */
export function ConfirmLoginDialog() {
  const t = useTexts('shell');
  const { requiresPasskeys } = useMe();
  const isAsking = useIsConfirmingLogin();
  // The dialog opens when this is known, so that the first focus is on the right button.
  const { data, isPending } = useQuery({
    queryKey: accountKeys.passkeys,
    queryFn: () => whileLoggedIn(dashboardApi.passkeys),
    enabled: isAsking && !requiresPasskeys,
  });
  const hasPasskey = browserSupportsWebAuthn() && data !== undefined && data.data.length > 0;
  return (
    <Modal
      opened={isAsking && (requiresPasskeys || !isPending)}
      onClose={() => endConfirmation(false)}
      title={t('confirmLoginTitle')}
      closeButtonProps={{ 'aria-label': t('close') }}
      zIndex={900}
      centered
    >
      {requiresPasskeys ? <PasskeyOnly /> : <LoginChoice hasPasskey={hasPasskey} />}
    </Modal>
  );
}

function PasskeyOnly() {
  const t = useTexts('shell');
  const { isError, button } = usePasskeyButton();
  return (
    <Stack>
      <Text>{t('confirmLoginPasskeyOnly')}</Text>
      {isError && <Problem>{t('passkeyNeededDeclined')}</Problem>}
      <Group justify="flex-end" gap="xs">
        <CancelButton />
        {button}
      </Group>
    </Stack>
  );
}

function LoginChoice({ hasPasskey }: { hasPasskey: boolean }) {
  const t = useTexts('shell');
  const { isError, button } = usePasskeyButton();
  const { isMissing, check } = useOtherLogin();
  const address = loginAddress(location.pathname + location.search);
  return (
    <Stack>
      <Text>{t(hasPasskey ? 'confirmLoginPasskey' : 'confirmLoginText')}</Text>
      {isError && <Problem>{t('confirmLoginDeclined')}</Problem>}
      {isMissing && <Problem>{t('confirmLoginMissing')}</Problem>}
      <Group justify="flex-end" gap="xs">
        <CancelButton />
        <ActionButton label={t('haveLoggedIn')} onClick={check} />
        <Button
          renderRoot={(props) => <a href={address} target="_blank" {...props} />}
          rightSection={<IconExternalLink size={16} aria-hidden />}
          variant={hasPasskey ? 'default' : 'filled'}
          data-autofocus={!hasPasskey || undefined}
        >
          {t('logIn')}
        </Button>
        {hasPasskey && button}
      </Group>
    </Stack>
  );
}

function usePasskeyButton() {
  const t = useTexts('shell');
  const { mutate, isPending, isError } = useMutation({
    mutationFn: logInWithPasskey,
    onSuccess: () => endConfirmation(true),
  });
  const button = (
    <Button onClick={() => mutate()} loading={isPending} data-autofocus>
      {t('usePasskey')}
    </Button>
  );
  return { isError, button };
}

function CancelButton() {
  const common = useTexts('common');
  return <ActionButton label={common('cancel')} onClick={() => endConfirmation(false)} />;
}

/** Notices a login in another tab: the session of this browser is another one since then. */
function useOtherLogin() {
  const [isMissing, setMissing] = useState(false);
  const [before] = useState(beginWithSession);

  useEffect(() => {
    const look = async () => {
      if (await isOther(before)) endConfirmation(true);
    };
    const lookSilently = () => void look().catch(() => {});
    const stopListening = onLogin(lookSilently);
    window.addEventListener('focus', lookSilently);
    return () => {
      stopListening();
      window.removeEventListener('focus', lookSilently);
    };
  }, [before]);

  const check = async () => {
    if (await isOther(before).catch(() => false)) endConfirmation(true);
    else setMissing(true);
  };
  return { isMissing, check };
}

/** The session when the dialog was opened. */
function beginWithSession(): Promise<string> {
  const session = currentSession();
  session.catch(() => {});
  return session;
}

async function isOther(before: Promise<string>): Promise<boolean> {
  return (await currentSession()) !== (await before);
}

async function currentSession(): Promise<string> {
  const { data } = await whileLoggedIn(dashboardApi.sessions);
  return data.find(({ current }) => current)!.id;
}
