import type { LoginLink } from '@gatehouse/client';
import { Alert, Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import { useTexts } from '../../languages/texts.tsx';
import { TimeText } from '../../parts/time-text.tsx';

/** A login link to be handed over by other ways than mail. */
export function LoginLinkDialog({ link, close }: { link: LoginLink; close: () => void }) {
  const t = useTexts('member');
  return (
    <Modal opened onClose={close} title={t('linkTitle')} size="lg">
      <Stack>
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
          {t('linkText')}
        </Alert>
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {link.url}
        </Code>
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed">
            {t.rich('linkUntil', { time: <TimeText at={link.expiresAt} as="full" /> })}
          </Text>
          <CopyButton value={link.url ?? ''}>
            {({ copied, copy }) => (
              <Button
                leftSection={
                  copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
                }
                onClick={copy}
                data-autofocus
              >
                {t(copied ? 'copied' : 'copy')}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Modal>
  );
}
