import type { LoginLink } from '@gatehouse/client';
import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import { Dialog } from '../../components/layout/dialog.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { useTexts } from '../../languages/texts.tsx';

/** Shows a login link to pass on by other means than email. */
export function LoginLinkDialog({ link, close }: { link: LoginLink | null; close: () => void }) {
  const t = useTexts('member');
  return (
    <Dialog opened={link !== null} onClose={close} title={t('linkTitle')} size="lg">
      {link && <LinkText link={link} />}
    </Dialog>
  );
}

function LinkText({ link }: { link: LoginLink }) {
  const t = useTexts('member');
  return (
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
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={copy}
              data-autofocus
            >
              {t(copied ? 'copied' : 'copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  );
}
