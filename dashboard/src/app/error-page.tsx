import { Stack, Title } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorNote } from '../components/feedback/error-note.tsx';
import { useTexts } from '../languages/texts.tsx';

/** Replaces a page that failed. Everything around it keeps working. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const t = useTexts('shell');
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Stack>
      <title>{`${t('errorTitle')} · Gatehouse`}</title>
      <Title order={1} size="h2">
        {t('errorTitle')}
      </Title>
      <ErrorNote error={error} retry={retry} />
    </Stack>
  );
}
