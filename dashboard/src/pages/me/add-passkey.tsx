import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import { useTexts } from '../../languages/texts.tsx';
import { browserName } from '../../parts/browser-name.ts';
import { FormErrorNote } from '../../parts/error-note.tsx';
import { type FormFailure, useFormErrors } from '../../parts/form-errors.ts';
import { dashboardApi } from '../../session/dashboard-api.ts';
import { whileSignedIn } from '../../session/signed-out.ts';

/** Asks for a name, then lets the browser make a passkey. */
export function AddPasskey({ added }: { added: () => Promise<void> }) {
  const t = useTexts('me');
  const parts = useTexts('parts');
  const [opened, { open, close }] = useDisclosure();
  const form = useForm({ initialValues: { name: browserName(navigator.userAgent) } });
  const formErrors = useFormErrors(form);
  const adding = useMutation({
    onMutate: formErrors.clear,
    onError: formErrors.show,
    mutationFn: async ({ name }: typeof form.values) => {
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
        <form onSubmit={form.onSubmit((values) => adding.mutate(values))}>
          <Stack>
            <TextInput
              {...form.getInputProps('name')}
              label={t('passkeyName')}
              description={t('passkeyNameHelp')}
              maxLength={100}
              required
              withAsterisk={false}
              data-autofocus
            />
            <PasskeyFailure failure={formErrors.failure} />
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
function PasskeyFailure({ failure }: { failure: FormFailure | null }) {
  const t = useTexts('me');
  const error = failure?.error;
  if (!(error instanceof WebAuthnError) && !(error instanceof DOMException))
    return <FormErrorNote failure={failure} />;
  const known = 'code' in error && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
  return (
    <Text c="var(--mantine-color-error)" role="alert">
      {t(known ? 'passkeyKnown' : 'passkeyDeclined')}
    </Text>
  );
}
