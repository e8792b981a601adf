import type { GatehouseError } from '@gatehouse/client';
import { Code, Stack, Text } from '@mantine/core';
import { useErrorText } from '../../format/error-text.ts';
import { useTexts } from '../../languages/texts.tsx';
import { Contact } from '../people/contact.tsx';
import { ErrorBox, type ErrorNoteProps } from './error-box.tsx';
import classes from './error-note.module.css';

/** Shows an error response of the server. */
export function ErrorResponseNote({ error, retry, ...rest }: ErrorNoteProps & { error: GatehouseError }) {
  const sentence = useErrorText()(error);
  const isDenied = error.code === 'permission_denied';
  return (
    <ErrorBox
      title={sentence}
      {...rest}
      // To try it again would not help.
      {...(needsReload(error) ? { reload: true } : { retry: isDenied ? undefined : retry })}
    >
      {isOfOtherServer(error) && <Text lang="en">{error.message}</Text>}
      {isDenied && <Contact />}
      <TechnicalDetails error={error} withMessages={error.code === 'invalid_request'} />
    </ErrorBox>
  );
}

interface TechnicalDetailsProps {
  error: GatehouseError;
  /** Also shows the server's own message, where no field shows what is wrong. */
  withMessages?: boolean;
}

/** Collapsed details for support. The request id identifies the request in the server log. */
export function TechnicalDetails({ error, withMessages = false }: TechnicalDetailsProps) {
  const t = useTexts('errors');
  const common = useTexts('common');
  const messages = withMessages ? new Set(error.details.map(({ message }) => message)) : [];
  return (
    <details className={classes.details}>
      <summary>{t('details')}</summary>
      <Stack gap={4} mt={4}>
        {[...messages].map((message) => (
          <Text key={message} size="xs" lang="en">
            {message}
          </Text>
        ))}
        <Text size="xs">{t.rich('errorCode', { code: <Code>{error.code}</Code> })}</Text>
        {error.requestId && (
          <Text size="xs">{common.rich('requestId', { id: <Code>{error.requestId}</Code> })}</Text>
        )}
      </Stack>
    </details>
  );
}

/** What a workspace or the website did is known only to the server; its message also says what to do. */
function isOfOtherServer({ code }: GatehouseError): boolean {
  return /^(?:workspace_(?:rejected|unavailable)|collection_unreadable|page_(?:redirected|unavailable))$/.test(
    code,
  );
}

/** Whether what the page shows no longer exists, or it belongs to another login: the text says to reload the page. */
function needsReload({ code }: GatehouseError): boolean {
  return /(?:^|_)not_found$|^(?:join_request_decided|invalid_cursor|(?:invalid|missing)_api_key|precondition_failed|method_not_allowed|other_operator)$/.test(
    code,
  );
}
