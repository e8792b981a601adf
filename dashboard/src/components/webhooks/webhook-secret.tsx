import type { ReactNode } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { SecretText } from '../credentials/secret-text.tsx';

interface WebhookSecretProps {
  name: string;
  secret: string;
  warning: string;
  children: ReactNode;
}

/** Shows a new secret, which is not shown again. */
export function WebhookSecret({ name, ...props }: WebhookSecretProps) {
  const t = useTexts('webhooks');
  return <SecretText {...props} label={t('secretOf', { name })} />;
}
