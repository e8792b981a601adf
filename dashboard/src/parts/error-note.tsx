import { GatehouseError } from '@gatehouse/client';
import { Alert, Button, Code, Group, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTexts } from '../languages/texts.tsx';
import { isOffline } from '../session/offline.ts';

interface ErrorNoteProps {
  error: unknown;
  /** Leave it out where the same button that failed is still there. */
  retry?: (() => void) | undefined;
}

/** Says why something failed and what to do next, with the request id that finds it in the log of the service. */
export function ErrorNote({ error, retry }: ErrorNoteProps) {
  const t = useTexts('parts');
  const { message, requestId, details } = useErrorText(error);
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert" title={message}>
      {details.length > 0 && (
        <List size="sm" mb="xs">
          {details.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              <Code>{path}</Code> {message}
            </List.Item>
          ))}
        </List>
      )}
      <Group justify="space-between" gap="xs">
        {requestId && (
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            {t.rich('requestId', { id: <Code>{requestId}</Code> })}
          </Text>
        )}
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            {t('retry')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

/** What an error says, for a place that has no room for a note. */
export function useErrorText(error: unknown) {
  const t = useTexts('parts');
  if (isOffline(error)) return { message: t('offline'), requestId: undefined, details: [] };
  if (!(error instanceof GatehouseError))
    return { message: t('unexpected'), requestId: undefined, details: [] };
  const ours = error.code === 'network_error' || error.code === 'timeout';
  const message = ours ? t(error.code === 'timeout' ? 'timeout' : 'unreachable') : error.message;
  // Nobody but this browser knows the id of a request that never arrived.
  return { message, requestId: ours ? undefined : error.requestId, details: error.details };
}
