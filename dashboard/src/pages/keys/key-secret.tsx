import type { CreatedApiKey } from '@gatehouse/client';
import { Button } from '@mantine/core';
import { SecretText } from '../../components/credentials/secret-text.tsx';
import { useTexts } from '../../languages/texts.tsx';

/** Shows a new key, which is not shown again. */
export function KeySecret({ apiKey, close }: { apiKey: CreatedApiKey; close: () => void }) {
  const t = useTexts('keys');
  return (
    <SecretText secret={apiKey.secret} label={t('secretOf', { name: apiKey.name })} warning={t('secretText')}>
      <Button variant="default" onClick={close}>
        {t('done')}
      </Button>
    </SecretText>
  );
}
