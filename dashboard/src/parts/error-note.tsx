import { GatehouseError } from '@gatehouse/client';
import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, Suspense } from 'react';
import { useTexts } from '../languages/texts.tsx';
import { isOffline } from '../session/offline.ts';
import classes from './error-note.module.css';
import type { FormFailure } from './form-errors.ts';
import { useRefusalText } from './refusals.ts';

interface ErrorNoteProps {
  error: unknown;
  /** Leave it out where the same button that failed is still there. */
  retry?: (() => void) | undefined;
  /** Without a box of its own, as it stands in one. */
  isPlain?: boolean;
}

/** Says in a sentence why something failed and what to do next. */
export function ErrorNote({ error, ...rest }: ErrorNoteProps) {
  return (
    <Suspense>
      {isErrorReply(error) ? <ReplyNote error={error} {...rest} /> : <FaultNote error={error} {...rest} />}
    </Suspense>
  );
}

/** At the foot of a form: what its fields do not say themselves. */
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
  /** Also in the service's own words, where nothing else says what is wrong. */
  withMessages?: boolean;
}

/** Folded away: what somebody who helps asks for. The request id finds the request in the log of the service. */
function TechnicalDetails({ error, withMessages = false }: TechnicalDetailsProps) {
  const t = useTexts('errors');
  const parts = useTexts('parts');
  if (!isErrorReply(error)) return null;
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
          <Text size="xs">{parts.rich('requestId', { id: <Code>{error.requestId}</Code> })}</Text>
        )}
      </Stack>
    </details>
  );
}

/** What never reached the service, or failed in this page. Nobody but this browser knows the id of such a request. */
function FaultNote({ error, ...rest }: ErrorNoteProps) {
  const t = useTexts('parts');
  const code = error instanceof GatehouseError ? error.code : undefined;
  const name = isOffline(error)
    ? 'offline'
    : code === 'timeout'
      ? 'timeout'
      : code
        ? 'unreachable'
        : 'unexpected';
  return <Note title={t(name)} {...rest} />;
}

function ReplyNote({ error, ...rest }: ErrorNoteProps & { error: GatehouseError }) {
  const sentence = useRefusalText()(error);
  return (
    <Note title={sentence} {...rest}>
      <TechnicalDetails error={error} withMessages={error.code === 'invalid_request'} />
    </Note>
  );
}

interface NoteProps extends Omit<ErrorNoteProps, 'error'> {
  title: string;
  children?: ReactNode;
}

function Note({ title, retry, isPlain = false, children }: NoteProps) {
  const t = useTexts('parts');
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
          {retry && (
            <Button size="xs" variant="default" onClick={retry}>
              {t('retry')}
            </Button>
          )}
        </Stack>
      )}
    </Alert>
  );
}

function isErrorReply(error: unknown): error is GatehouseError {
  return (
    error instanceof GatehouseError && error.status !== undefined && error.code !== 'unexpected_response'
  );
}
