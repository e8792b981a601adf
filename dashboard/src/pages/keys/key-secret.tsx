import type { CreatedApiKey } from '@gatehouse/client';
import { SecretText } from '../../components/credentials/secret-text.tsx';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { useTexts } from '../../languages/texts.tsx';

/** Shows a new key, which is not shown again. */
export function KeySecret({ apiKey, close }: { apiKey: CreatedApiKey; close: () => void }) {
  const t = useTexts('keys');
  return (
    <SecretText secret={apiKey.secret} label={t('secretOf', { name: apiKey.name })} warning={t('secretText')}>
      <ActionButton label={t('done')} onClick={close} />
    </SecretText>
  );
}
