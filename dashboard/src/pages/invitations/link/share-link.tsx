import type { Invitation } from '@gatehouse/client';
import { Box, Group, Skeleton, Stack } from '@mantine/core';
import { Suspense } from 'react';
import { CodeBlock } from '../../../components/code/code-block.tsx';
import { CopyTextButton } from '../../../components/code/copy-button.tsx';
import { latePart } from '../../../components/late-part.ts';
import { useTexts } from '../../../languages/texts.tsx';

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
        <Box flex="1 1 16rem">
          <CodeBlock label={t('link')}>{url}</CodeBlock>
        </Box>
        <CopyTextButton text={url} labels={{ copy: t('copy'), copied: t('copied') }} autoFocus={autoFocus} />
      </Group>
      <Suspense fallback={<Skeleton height={242} width={242} />}>
        <QrCode invitation={invitation} url={url} />
      </Suspense>
    </Stack>
  );
}
