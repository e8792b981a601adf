import type { CreatedApiKey } from '@gatehouse/client';
import { Button, Code, CopyButton, Group, Stack } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTexts } from '../../languages/texts.tsx';
import classes from './keys.module.css';

/** Shows a new key, which is not shown again. */
export function KeySecret({ apiKey, close }: { apiKey: CreatedApiKey; close: () => void }) {
  const t = useTexts('keys');
  return (
    <Stack>
      <span>{t('secretText')}</span>
      <Code block className={classes.secret!} aria-label={t('secretOf', { name: apiKey.name })}>
        {apiKey.secret}
      </Code>
      <Group justify="flex-end" gap="xs">
        <CopyButton value={apiKey.secret}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={copy}
              // It replaces the form in a dialog that is already open.
              autoFocus
            >
              <span aria-live="polite">{t(copied ? 'copied' : 'copy')}</span>
            </Button>
          )}
        </CopyButton>
        <Button onClick={close}>{t('done')}</Button>
      </Group>
    </Stack>
  );
}
