import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { ErrorNote } from './error-note.tsx';

interface FailedPageProps {
  error: unknown;
  retry: () => void;
  /** A link to where the operator can continue. */
  back?: ReactNode;
}

/** In place of a page that could not be shown. */
export function FailedPage({ error, retry, back }: FailedPageProps) {
  const t = useTexts('shell');
  return (
    <Stack>
      <title>{`${t('errorTitle')} · Gatehouse`}</title>
      {back && <div>{back}</div>}
      <Title order={1} size="h2">
        {t('errorTitle')}
      </Title>
      <ErrorNote error={error} retry={retry} />
    </Stack>
  );
}
