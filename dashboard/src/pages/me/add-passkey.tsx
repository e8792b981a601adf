import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { browserName } from '../../parts/browser-name.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { dashboardApi } from '../../session/dashboard-api.ts';
import { whileSignedIn } from '../../session/signed-out.ts';

/** Asks for a name, then lets the browser make a passkey. */
export function AddPasskey({ added }: { added: () => Promise<void> }) {
  const t = useTexts('me');
  const parts = useTexts('parts');
  const [opened, { open, close }] = useDisclosure();
  const [name, setName] = useState(() => browserName(navigator.userAgent));
  const adding = useMutation({
    mutationFn: async () => {
      const optionsJSON = await whileSignedIn(dashboardApi.passkeyOptions);
      const response = await startRegistration({ optionsJSON });
      await whileSignedIn(() => dashboardApi.addPasskey(response, name.trim()));
    },
    onSuccess: async () => {
      close();
      await added();
    },
  });

  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        {t('addPasskey')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('addPasskey')}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            adding.mutate();
          }}
        >
          <Stack>
            <TextInput
              label={t('passkeyName')}
              description={t('passkeyNameHelp')}
              maxLength={100}
              required
              withAsterisk={false}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
            {adding.error && <Failure error={adding.error} />}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={close}>
                {parts('cancel')}
              </Button>
              <Button type="submit" loading={adding.isPending}>
                {t('goOn')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}

/** What the browser or the person declined is no fault of the service. */
function Failure({ error }: { error: Error }) {
  const t = useTexts('me');
  if (!(error instanceof WebAuthnError) && !(error instanceof DOMException))
    return <ErrorNote error={error} />;
  const known = 'code' in error && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
  return (
    <Text c="var(--mantine-color-error)" role="alert">
      {t(known ? 'passkeyKnown' : 'passkeyDeclined')}
    </Text>
  );
}
