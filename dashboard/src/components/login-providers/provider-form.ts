import { isNotEmpty, type UseFormReturnType, useForm } from '@mantine/form';
import { useTexts } from '../../languages/texts.tsx';
import type { ProviderType } from './provider-types.ts';
import { factsOfType, type OwnField } from './provider-types.ts';
import { isDirectoryId, type ProviderValues } from './provider-values.ts';

export type ProviderForm = UseFormReturnType<ProviderValues>;

const privateKey = '-----BEGIN PRIVATE KEY-----';

/** A form for a provider of a type. The secret is part of it only while the provider is new. */
export function useProviderForm(
  type: ProviderType,
  { initialValues, isNew }: { initialValues: ProviderValues; isNew: boolean },
): ProviderForm {
  const t = useTexts('login');
  const { fields } = factsOfType(type);
  const own = (field: OwnField, isRight: (value: string) => boolean) => (value: string) =>
    !fields.includes(field) || isRight(value.trim()) ? null : t(`missing.${field}`);
  return useForm<ProviderValues>({
    initialValues,
    validate: {
      name: isNotEmpty(t('missing.name')),
      clientId: isNotEmpty(t(type === 'apple' ? 'missing.servicesId' : 'missing.clientId')),
      secret: (secret) => (isNew && !isSecret(type, secret) ? t(missingSecret(type)) : null),
      issuer: own('issuer', (issuer) => URL.canParse(issuer)),
      tenant: own('tenant', isDirectoryId),
      teamId: own('teamId', (id) => id !== ''),
      privateKeyId: own('privateKeyId', (id) => id !== ''),
      groupMap: {
        value: (value, { groupsClaim }) =>
          groupsClaim.trim() !== '' && value.trim() === '' ? t('missing.groupValue') : null,
        accessGroupId: (id, { groupsClaim }) =>
          groupsClaim.trim() !== '' && id === null ? t('missing.group') : null,
      },
    },
  });
}

/** Whether it can be a secret of the type: Apple has a private key instead, in a file. */
export function isSecret(type: ProviderType, secret: string): boolean {
  return type === 'apple' ? secret.includes(privateKey) : secret.trim() !== '';
}

export function missingSecret(type: ProviderType): 'missing.privateKey' | 'missing.secret' {
  return type === 'apple' ? 'missing.privateKey' : 'missing.secret';
}
