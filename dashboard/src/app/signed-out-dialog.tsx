import { Button, Group, Modal, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTexts } from '../languages/texts.tsx';
import { loginAddress } from '../session/me.ts';
import { lookForSignIn, onSignIn, useIsSignedOut } from '../session/signed-out.ts';

/** Keeps the page, and what was typed there, until its operator has signed in again in another tab. */
export function SignedOutDialog() {
  const t = useTexts('shell');
  const signedOut = useIsSignedOut();

  useEffect(() => {
    if (!signedOut) return;
    const look = () => void lookForSignIn();
    const stopListening = onSignIn(look);
    window.addEventListener('focus', look);
    return () => {
      stopListening();
      window.removeEventListener('focus', look);
    };
  }, [signedOut]);

  return (
    <Modal
      opened={signedOut}
      onClose={() => {}}
      withCloseButton={false}
      title={t('signedOutTitle')}
      zIndex={1_000}
      centered
    >
      <Text mb="lg">{t('signedOutText')}</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => lookForSignIn()}>
          {t('goOn')}
        </Button>
        <Button
          component="a"
          href={loginAddress('/dashboard/')}
          target="_blank"
          rightSection={<IconExternalLink size={16} aria-hidden />}
          data-autofocus
        >
          {t('signIn')}
        </Button>
      </Group>
    </Modal>
  );
}
