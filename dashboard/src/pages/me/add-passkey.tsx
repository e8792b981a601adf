import { maxNameLength } from '@gatehouse/contract/limits';
import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import { FormErrorNote } from '../../components/feedback/error-note.tsx';
import { DialogButtons } from '../../components/forms/dialog-buttons.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { Problem } from '../../components/layout/hint.tsx';
import { browserName } from '../../format/browser-name.ts';
import type { FormFailure } from '../../hooks/use-form-errors.ts';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useTexts } from '../../languages/texts.tsx';
import { dashboardApi } from '../../session/dashboard-api.ts';
import { whileLoggedIn } from '../../session/logged-out.ts';

interface AddPasskeyProps {
  added: () => Promise<void>;
  /** Whether the button is the action of the whole page. */
  isPageAction?: boolean;
}

/** Asks for a name, then has the browser create a passkey. */
export function AddPasskey({ added, isPageAction = false }: AddPasskeyProps) {
  const t = useTexts('me');
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant={isPageAction ? 'filled' : 'default'} size={isPageAction ? 'sm' : 'xs'} onClick={open}>
        {t('addPasskey')}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('addPasskey')}>
        <PasskeyForm added={added} close={close} />
      </Dialog>
    </>
  );
}

function PasskeyForm({ added, close }: { added: () => Promise<void>; close: () => void }) {
  const t = useTexts('me');
  const form = useForm({ initialValues: { name: browserName(navigator.userAgent) } });
  const adding = useSubmission(form, {
    send: async ({ name }) => {
      const optionsJSON = await whileLoggedIn(dashboardApi.passkeyOptions);
      const response = await startRegistration({ optionsJSON });
      await whileLoggedIn(() => dashboardApi.addPasskey(response, name.trim()));
    },
    onSuccess: async () => {
      close();
      await added();
    },
  });
  return (
    <form onSubmit={adding.submit}>
      <Stack>
        <TextInput
          {...form.getInputProps('name')}
          label={t('passkeyName')}
          description={t('passkeyNameHelp')}
          maxLength={maxNameLength}
          required
          withAsterisk={false}
          data-autofocus
        />
        <PasskeyFailure failure={adding.failure} />
        <DialogButtons cancel={close} submit={t('continue')} pending={adding.isPending} />
      </Stack>
    </form>
  );
}

/** A cancellation by the browser or the operator is not an error of the service. */
function PasskeyFailure({ failure }: { failure: FormFailure | null }) {
  const t = useTexts('me');
  const error = failure?.error;
  if (!(error instanceof WebAuthnError) && !(error instanceof DOMException))
    return <FormErrorNote failure={failure} />;
  const known = 'code' in error && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
  return <Problem>{t(known ? 'passkeyKnown' : 'passkeyDeclined')}</Problem>;
}
