import { maxNameLength } from '@gatehouse/contract/limits';
import { TextInput } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import { GroupFields } from './group-fields.tsx';
import type { ProviderForm } from './provider-form.ts';
import { factsOfType, type ProviderType } from './provider-types.ts';
import { shortIssuer } from './provider-values.ts';
import { SecretField } from './secret-field.tsx';
import { TrustField } from './trust-field.tsx';

interface ProviderFieldsProps {
  type: ProviderType;
  form: ProviderForm;
  /** Whether it is created: the issuer, the directory and the secret can be entered. */
  isNew: boolean;
}

/** The settings of a login provider: only those that its type has. */
export function ProviderFields({ type, form, isNew }: ProviderFieldsProps) {
  const t = useTexts('login');
  const { hasClaims } = factsOfType(type);
  return (
    <>
      <ConnectionFields type={type} form={form} isNew={isNew} />
      <TextInput
        {...form.getInputProps('name')}
        label={t('name')}
        description={t('nameHelp')}
        maxLength={maxNameLength}
        autoComplete="off"
      />
      <TrustField type={type} form={form} />
      {hasClaims && <GroupFields form={form} />}
    </>
  );
}

/** What the provider has given to the site. */
function ConnectionFields({ type, form, isNew }: ProviderFieldsProps) {
  const t = useTexts('login');
  const { fields } = factsOfType(type);
  const shown = fields.filter((field) => isNew || (field !== 'issuer' && field !== 'tenant'));
  const issuer = form.getInputProps('issuer');
  const text = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const;
  return (
    <>
      {shown.includes('issuer') && (
        <TextInput
          {...issuer}
          {...text}
          onBlur={(event) => {
            issuer.onBlur?.(event);
            const short = shortIssuer(form.values.issuer);
            if (short !== form.values.issuer) form.setFieldValue('issuer', short);
          }}
          label={t('issuer')}
          description={t('issuerHelp')}
          placeholder="https://id.example.org"
          type="url"
        />
      )}
      <TextInput
        {...form.getInputProps('clientId')}
        {...text}
        label={t(type === 'apple' ? 'servicesId' : 'clientId')}
        description={t(`clientIdHelp.${type}`)}
      />
      {shown
        .filter((field) => field !== 'issuer')
        .map((field) => (
          <TextInput
            key={field}
            {...form.getInputProps(field)}
            {...text}
            label={t(field)}
            description={t(`${field}Help`)}
          />
        ))}
      {isNew && <SecretField type={type} input={form.getInputProps('secret')} />}
    </>
  );
}
