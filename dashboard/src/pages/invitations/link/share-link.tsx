import type { Invitation } from '@gatehouse/client';
import { Button, Code, CopyButton, Group, Skeleton, Stack } from '@mantine/core';
import { Suspense } from 'react';
import { IconCheck, IconCopy } from '../../../components/icons/icons.ts';
import { latePart } from '../../../components/late-part.ts';
import { useTexts } from '../../../languages/texts.tsx';
import classes from '../invitations.module.css';

/** Loaded with the library that makes it. */
const QrCode = latePart(async () => (await import('./qr-code.tsx')).QrCode);

interface ShareLinkProps {
  invitation: Invitation;
  /** Whether the button that copies the link gets the focus. */
  autoFocus?: boolean;
}

/** The link of an invitation, to copy, and as a QR code. Nothing if it is not known. */
export function ShareLink({ invitation, autoFocus = false }: ShareLinkProps) {
  const t = useTexts('invitations');
  const { url } = invitation;
  if (url === null) return null;
  return (
    <Stack>
      <Group align="stretch" gap="xs">
        <Code block className={classes.link!} flex="1 1 16rem" aria-label={t('link')}>
          {url}
        </Code>
        <CopyButton value={url}>
          {({ copied, copy }) => (
            <Button
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={copy}
              autoFocus={autoFocus}
            >
              <span aria-live="polite">{t(copied ? 'copied' : 'copy')}</span>
            </Button>
          )}
        </CopyButton>
      </Group>
      <Suspense fallback={<Skeleton height={242} width={242} />}>
        <QrCode invitation={invitation} url={url} />
      </Suspense>
    </Stack>
  );
}
