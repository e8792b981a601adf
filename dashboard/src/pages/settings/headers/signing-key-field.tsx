import { Group, Input, Text } from '@mantine/core';
import { showFailure } from '../../../components/feedback/error-notification.tsx';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useCreateSigningKey, useSigningKeys } from '../../../queries/saved-site.ts';

/** The newest signing key, and the button that creates another one. */
export function SigningKeyField() {
  const t = useTexts('settings');
  const { data: keys } = useSigningKeys();
  const creation = useCreateSigningKey();
  const newest = keys?.[0];
  return (
    <Input.Wrapper label={t('signingKey')} labelElement="div" description={t('signingKeyHelp')}>
      <Group gap="sm" mt={6}>
        <Text size="sm" role="status">
          {keys && (newest ? t('signingKeyCreated') : t('signingKeyNone'))}
          {newest && ' '}
          {newest && <TimeText at={newest.createdAt} />}
        </Text>
        <ActionButton
          label={t(newest ? 'signingKeyRotate' : 'signingKeyCreate')}
          size="compact-sm"
          loading={creation.isPending}
          disabled={!keys}
          onClick={() => creation.mutate(undefined, { onError: showFailure })}
        />
      </Group>
    </Input.Wrapper>
  );
}
