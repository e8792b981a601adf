import type { ApiKey, CreatedApiKey } from '@gatehouse/client';
import { Dialog } from '../../components/layout/dialog.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { CreateKeyForm } from './create-key-form.tsx';
import { KeySecret } from './key-secret.tsx';
import { RotateKeyForm } from './rotate-key-form.tsx';

/** The content of the dialog: a form that creates a key, then the new key. */
export type KeyStep =
  | { readonly name: 'create' }
  | { readonly name: 'rotate'; readonly apiKey: ApiKey }
  | { readonly name: 'secret'; readonly apiKey: CreatedApiKey };

interface KeyDialogProps {
  step: KeyStep | null;
  created: (apiKey: CreatedApiKey) => void;
  close: () => void;
}

/** Creates a key and shows it once. The secret is closed only by its own button. */
export function KeyDialog({ step, created, close }: KeyDialogProps) {
  const isSecret = step?.name === 'secret';
  const title = useTitle(step);
  return (
    <Dialog
      opened={step !== null}
      onClose={close}
      title={title}
      size="lg"
      closeOnEscape={!isSecret}
      withCloseButton={!isSecret}
    >
      {step?.name === 'create' && <CreateKeyForm close={close} created={created} />}
      {step?.name === 'rotate' && <RotateKeyForm apiKey={step.apiKey} close={close} created={created} />}
      {step?.name === 'secret' && <KeySecret apiKey={step.apiKey} close={close} />}
    </Dialog>
  );
}

function useTitle(step: KeyStep | null): string {
  const t = useTexts('keys');
  if (step?.name === 'rotate') return t('rotateTitle', { name: step.apiKey.name });
  return t(step?.name === 'secret' ? 'secretTitle' : 'create');
}
