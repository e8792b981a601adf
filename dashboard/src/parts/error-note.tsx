import { GatehouseError } from '@gatehouse/client';
import { Alert, Button, Code, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, Suspense } from 'react';
import { useTexts } from '../languages/texts.tsx';
import { isOffline } from '../session/offline.ts';
import classes from './error-note.module.css';
import { useRefusalText } from './refusals.ts';

interface ErrorNoteProps {
  error: unknown;
  /** Leave it out where the same button that failed is still there. */
  retry?: (() => void) | undefined;
}

/** Says why something failed and what to do next. Folded away: the service's own words, and the request id that finds it in its log. */
export function ErrorNote({ error, retry }: ErrorNoteProps) {
  return (
    <Suspense>
      {isRefusal(error) ? <Refusal error={error} retry={retry} /> : <Fault error={error} retry={retry} />}
    </Suspense>
  );
}

/** What never reached the service, or failed in this page. Nobody but this browser knows the id of such a request. */
function Fault({ error, retry }: ErrorNoteProps) {
  const t = useTexts('parts');
  const code = error instanceof GatehouseError ? error.code : undefined;
  const name = isOffline(error)
    ? 'offline'
    : code === 'timeout'
      ? 'timeout'
      : code
        ? 'unreachable'
        : 'unexpected';
  return <Note title={t(name)} retry={retry} />;
}

function Refusal({ error, retry }: { error: GatehouseError; retry: ErrorNoteProps['retry'] }) {
  const t = useTexts('errors');
  const parts = useTexts('parts');
  const { code, message, details, requestId } = error;
  return (
    <Note title={useRefusalText()(error)} retry={retry}>
      <details className={classes.details} open={code === 'invalid_request'}>
        <summary>{t('details')}</summary>
        <Stack gap={4} mt={4}>
          <Text size="xs" lang="en">
            {message}
          </Text>
          {details.length > 0 && (
            <List size="xs" lang="en">
              {details.map(({ path, message }) => (
                <List.Item key={`${path} ${message}`}>
                  <Code>{path}</Code> {message}
                </List.Item>
              ))}
            </List>
          )}
          {requestId && (
            <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
              {parts.rich('requestId', { id: <Code>{requestId}</Code> })}
            </Text>
          )}
        </Stack>
      </details>
    </Note>
  );
}

function Note({
  title,
  retry,
  children,
}: {
  title: string;
  retry: ErrorNoteProps['retry'];
  children?: ReactNode;
}) {
  const t = useTexts('parts');
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert" title={title}>
      <Stack gap="xs" align="flex-start">
        {children}
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            {t('retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function isRefusal(error: unknown): error is GatehouseError {
  return (
    error instanceof GatehouseError && error.status !== undefined && error.code !== 'unexpected_response'
  );
}
