import { Radio, Stack } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import { Notice } from '../feedback/notice.tsx';
import type { ProviderForm } from './provider-form.ts';
import type { ProviderType } from './provider-types.ts';

/** Whether an account there with the email address of a member is that member. */
export function TrustField({ type, form }: { type: ProviderType; form: ProviderForm }) {
  const t = useTexts('login');
  // Only of one server, which the operators know, every email address can be right.
  const trusts = type === 'oidc' ? (['claim', 'never', 'always'] as const) : (['claim', 'never'] as const);
  return (
    <>
      <Radio.Group
        {...form.getInputProps('emailTrust')}
        label={t('emailTrust')}
        description={t('emailTrustHelp')}
      >
        <Stack gap="xs" mt={6}>
          {trusts.map((trust) => (
            <Radio
              key={trust}
              value={trust}
              label={t(`trust.${trust}`)}
              description={t(`trustHelp.${trust}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {form.values.emailTrust === 'always' && (
        <Notice state="attention" title={t('alwaysTitle')} role="status">
          {t('alwaysText')}
        </Notice>
      )}
      {type === 'microsoft' && form.values.emailTrust === 'claim' && (
        <Notice state="neutral">{t('microsoftTrust')}</Notice>
      )}
    </>
  );
}
