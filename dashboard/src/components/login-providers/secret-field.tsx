import { Textarea, TextInput, type TextInputProps } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import type { ProviderType } from './provider-types.ts';

interface SecretFieldProps {
  type: ProviderType;
  input: Pick<TextInputProps, 'value' | 'error'> & object;
  autoFocus?: boolean;
}

/** The client secret; of Apple the private key, which has several lines. */
export function SecretField({ type, input, autoFocus = false }: SecretFieldProps) {
  const t = useTexts('login');
  const common = {
    ...input,
    description: t('secretHelp'),
    autoComplete: 'off',
    spellCheck: false,
    'data-autofocus': autoFocus || undefined,
  };
  if (type !== 'apple') return <TextInput {...common} label={t('secret')} />;
  return (
    <Textarea
      {...common}
      label={t('privateKey')}
      placeholder="-----BEGIN PRIVATE KEY-----"
      minRows={5}
      autosize
      maxRows={8}
    />
  );
}
