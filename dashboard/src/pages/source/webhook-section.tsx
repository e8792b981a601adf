import type { Source, SourceWebhook } from '@gatehouse/client';
import { List, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { Section } from '../../components/layout/section.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useResetWebhook } from '../../queries/source-changes.ts';
import { useWebhook } from '../../queries/workspace.ts';

/** How Notion reports changes at once, with the steps that are left to do. */
export function WebhookSection({ source }: { source: Source }) {
  const t = useTexts('sources');
  const { data: webhook, error } = useWebhook(source.id);
  const reset = useResetWebhook();
  const { mutate, isPending } = useMutation({ mutationFn: () => reset(source.id) });
  return (
    <Section
      title={t('webhook')}
      description={t('webhookText')}
      action={
        webhook &&
        webhook.status !== 'none' && (
          <ActionButton label={t('webhookReset')} size="xs" loading={isPending} onClick={() => mutate()} />
        )
      }
    >
      {error && <ErrorNote error={error} />}
      {webhook && <WebhookState webhook={webhook} />}
      {webhook && isUnconnected(webhook) && (
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{t('webhookConnectText')}</Text>
          <ActionButton label={t('webhookConnect')} loading={isPending} onClick={() => mutate()} />
        </Stack>
      )}
    </Section>
  );
}

/** Whether the token of Notion would not be accepted now. */
function isUnconnected({ status, awaitedUntil }: SourceWebhook): boolean {
  return status === 'none' && awaitedUntil === null;
}

function WebhookState({ webhook }: { webhook: SourceWebhook }) {
  const t = useTexts('sources');
  const { status, address, awaitedUntil, verificationToken } = webhook;
  if (isUnconnected(webhook)) return null;
  if (status === 'active') return <Text>{t('webhookActive')}</Text>;
  return (
    <Stack gap="xs">
      <List type="ordered" size="sm">
        <List.Item>{t('webhookCreate')}</List.Item>
        <List.Item>{t('webhookVerify')}</List.Item>
      </List>
      <CodeBlock>{verificationToken ?? address}</CodeBlock>
      {awaitedUntil !== null && (
        <Hint>{t.rich('webhookWaits', { time: <TimeText at={awaitedUntil} /> })}</Hint>
      )}
    </Stack>
  );
}
