import { PasswordInput, Textarea, type TextInputProps } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import type { ProviderType } from './provider-types.ts';

interface SecretFieldProps {
  type: ProviderType;
  input: Pick<TextInputProps, 'value' | 'error'> & object;
  autoFocus?: boolean;
}

/** The client secret, masked until it is requested to be shown; of Apple the private key, whose lines cannot be masked. */
export function SecretField({ type, input, autoFocus = false }: SecretFieldProps) {
  const t = useTexts('login');
  const common = {
    ...input,
    description: t('secretHelp'),
    spellCheck: false,
    'data-autofocus': autoFocus || undefined,
  };
  if (type !== 'apple')
    return (
      <PasswordInput
        {...common}
        label={t('secret')}
        // Browsers ignore `off` for masked fields, and would fill in the password of the operator.
        autoComplete="new-password"
        visibilityToggleFocusable
        visibilityToggleButtonProps={{ 'aria-label': t('showSecret') }}
      />
    );
  return (
    <Textarea
      {...common}
      autoComplete="off"
      label={t('privateKey')}
      placeholder="-----BEGIN PRIVATE KEY-----"
      minRows={5}
      autosize
      maxRows={8}
    />
  );
}
