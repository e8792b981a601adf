import { Button, Group, Modal, Text } from '@mantine/core';
import { useEffect } from 'react';
import { IconExternalLink } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { checkLogin, onLogin, useIsLoggedOut } from '../../session/logged-out.ts';
import { loginAddress } from '../../session/me.ts';

/** Keeps the page and its input until the operator has logged in again in another tab. */
export function LoggedOutDialog() {
  const t = useTexts('shell');
  const loggedOut = useIsLoggedOut();

  useEffect(() => {
    if (!loggedOut) return;
    const look = () => void checkLogin();
    const stopListening = onLogin(look);
    window.addEventListener('focus', look);
    return () => {
      stopListening();
      window.removeEventListener('focus', look);
    };
  }, [loggedOut]);

  return (
    <Modal
      opened={loggedOut}
      onClose={() => {}}
      withCloseButton={false}
      title={t('loggedOutTitle')}
      zIndex={1_000}
      centered
    >
      <Text mb="lg">{t('loggedOutText')}</Text>
      <Group justify="flex-end" gap="xs">
        <ActionButton label={t('haveLoggedIn')} onClick={() => checkLogin()} />
        <Button
          renderRoot={(props) => <a href={loginAddress('/dashboard/')} target="_blank" {...props} />}
          rightSection={<IconExternalLink size={16} aria-hidden />}
          data-autofocus
        >
          {t('logIn')}
        </Button>
      </Group>
    </Modal>
  );
}
