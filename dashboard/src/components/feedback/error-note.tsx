import { GatehouseError } from '@gatehouse/client';
import { Alert, Code, Stack, Text } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { useErrorText } from '../../format/error-text.ts';
import { passFocusOn } from '../../hooks/focus.ts';
import type { FormFailure } from '../../hooks/use-form-errors.ts';
import { useTexts } from '../../languages/texts.tsx';
import { isOffline } from '../../session/offline.ts';
import { IconAlertTriangle } from '../icons/icons.ts';
import { ActionButton } from '../layout/action-button.tsx';
import classes from './error-note.module.css';

interface ErrorNoteProps {
  error: unknown;
  /** Leave it out if the button that failed is still visible. */
  retry?: (() => void) | undefined;
  /** Without a box, for use inside another one. */
  isPlain?: boolean;
}

/** Shows why something failed and what to do next. */
export function ErrorNote({ error, ...rest }: ErrorNoteProps) {
  return (
    <Suspense>
      {isErrorResponse(error) ? <ReplyNote error={error} {...rest} /> : <FaultNote error={error} {...rest} />}
    </Suspense>
  );
}

/** At the end of a form: the part of an error that is not shown at its fields. */
export function FormErrorNote({ failure }: { failure: FormFailure | null }) {
  if (!failure) return null;
  if (!failure.isAtFields) return <ErrorNote error={failure.error} />;
  return (
    <Suspense>
      <TechnicalDetails error={failure.error} />
    </Suspense>
  );
}

interface TechnicalDetailsProps {
  error: unknown;
  /** Also shows the server's own message, where no field shows what is wrong. */
  withMessages?: boolean;
}

/** Collapsed details for support. The request id identifies the request in the server log. */
function TechnicalDetails({ error, withMessages = false }: TechnicalDetailsProps) {
  const t = useTexts('errors');
  const common = useTexts('common');
  if (!isErrorResponse(error)) return null;
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

/**
 * A failure before the request reached the server, or in this page. The server does not know the id of such a
 * request.
 */
function FaultNote({ error, ...rest }: ErrorNoteProps) {
  const t = useTexts('common');
  // What can be tried again was being loaded, so that no input was to be saved.
  return <Note title={t(faultOf(error, rest.retry !== undefined))} {...rest} />;
}

function faultOf(error: unknown, isLoading: boolean) {
  if (isOffline(error)) return isLoading ? 'offlinePage' : 'offline';
  const code = error instanceof GatehouseError ? error.code : undefined;
  if (code === 'timeout') return 'timeout';
  return code ? 'unreachable' : 'unexpected';
}

function ReplyNote({ error, ...rest }: ErrorNoteProps & { error: GatehouseError }) {
  const sentence = useErrorText()(error);
  return (
    <Note title={sentence} {...rest}>
      {isOfOtherServer(error) && <Text lang="en">{error.message}</Text>}
      <TechnicalDetails error={error} withMessages={error.code === 'invalid_request'} />
    </Note>
  );
}

/** What a workspace or the website did is known only to the server; its message also says what to do. */
function isOfOtherServer({ code }: GatehouseError): boolean {
  return /^(?:workspace_(?:rejected|unavailable)|collection_unreadable|page_(?:redirected|unavailable))$/.test(
    code,
  );
}

interface NoteProps {
  title: string;
  retry?: (() => void) | undefined;
  isPlain?: boolean;
  children?: ReactNode;
}

function Note({ title, retry, isPlain = false, children }: NoteProps) {
  const t = useTexts('common');
  return (
    <Alert
      color="red"
      variant={isPlain ? 'transparent' : 'light'}
      {...(isPlain && { p: 4 })}
      icon={<IconAlertTriangle aria-hidden />}
      role="alert"
      title={title}
    >
      {(children || retry) && (
        <Stack gap="xs" align="flex-start">
          {children}
          {retry && <ActionButton label={t('retry')} size="xs" onClick={retry} ref={passFocusOn} />}
        </Stack>
      )}
    </Alert>
  );
}

function isErrorResponse(error: unknown): error is GatehouseError {
  return (
    error instanceof GatehouseError && error.status !== undefined && error.code !== 'unexpected_response'
  );
}
