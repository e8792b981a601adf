import { Alert, Button, Code, CopyButton, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { loadTexts, useTexts } from '../../languages/texts.tsx';
import { IconAlertTriangle, IconCheck, IconCopy } from '../icons/icons.ts';

interface SecretTextProps {
  readonly secret: string;
  /** What the secret is, for assistive technology. */
  readonly label: string;
  readonly warning: string;
  /** What stands beside the button that copies the secret. */
  readonly children: ReactNode;
}

// A dialog with a secret is opened later, and should not wait for its texts.
loadTexts('credentials').catch(() => {});

/** Shows a secret that is not shown again. */
export function SecretText({ secret, label, warning, children }: SecretTextProps) {
  const t = useTexts('credentials');
  return (
    <Stack>
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
        {warning}
      </Alert>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} aria-label={label}>
        {secret}
      </Code>
      <Group justify="space-between" gap="xs">
        {children}
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={copy}
              // It may replace the form in a dialog that is already open.
              autoFocus
            >
              <span aria-live="polite">{t(copied ? 'copied' : 'copy')}</span>
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  );
}
