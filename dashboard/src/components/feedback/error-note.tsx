import { GatehouseError } from '@gatehouse/client';
import { Suspense, useEffect, useEffectEvent, useMemo } from 'react';
import type { FormFailure } from '../../hooks/use-form-errors.ts';
import { useTexts } from '../../languages/texts.tsx';
import { DownloadError, isOffline } from '../../session/offline.ts';
import { latePart } from '../late-part.ts';
import { ErrorBox, type ErrorNoteProps } from './error-box.tsx';

const loadResponse = () => import('./error-response.tsx');
const ErrorResponseNote = latePart(async () => (await loadResponse()).ErrorResponseNote);
const TechnicalDetails = latePart(async () => (await loadResponse()).TechnicalDetails);

/** Shows why something failed and what to do next. */
export function ErrorNote({ error, ...rest }: ErrorNoteProps) {
  return (
    <Suspense>
      {isErrorResponse(error) ? (
        <ErrorResponseNote error={error} {...rest} />
      ) : (
        <FaultNote error={error} {...rest} />
      )}
    </Suspense>
  );
}

/** At the end of a form: the part of an error that is not shown at its fields. */
export function FormErrorNote({ failure }: { failure: FormFailure | null }) {
  if (!failure) return null;
  if (!failure.isAtFields) return <ErrorNote error={failure.error} />;
  return <Suspense>{isErrorResponse(failure.error) && <TechnicalDetails error={failure.error} />}</Suspense>;
}

/** Loads what is needed to show an error of the server ahead of time. */
export function loadErrorResponse(): void {
  loadResponse().catch(() => {});
}

/**
 * A failure before the request reached the server, or in this page. The server does not know the id of such a
 * request.
 */
function FaultNote({ error, retry, ...rest }: ErrorNoteProps) {
  const t = useTexts('common');
  // For other errors than that of a request, only the browser says so, and only at this moment.
  const offline = useMemo(() => isOffline(error), [error]);
  useOnline(offline ? retry : undefined);
  // What can be tried again was being loaded, so that no input was to be saved.
  const title = offline ? t(retry ? 'offlinePage' : 'offline') : t(faultOf(error));
  return <ErrorBox title={title} retry={retry} {...rest} />;
}

function faultOf(error: unknown) {
  if (error instanceof DownloadError) return 'unreachable';
  const code = error instanceof GatehouseError ? error.code : undefined;
  if (code === 'timeout') return 'timeout';
  return code ? 'unreachable' : 'unexpected';
}

/** Calls back once the browser is online again. */
function useOnline(callback: (() => void) | undefined): void {
  const onOnline = useEffectEvent(() => callback?.());
  useEffect(() => {
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, []);
}

function isErrorResponse(error: unknown): error is GatehouseError {
  return (
    error instanceof GatehouseError && error.status !== undefined && error.code !== 'unexpected_response'
  );
}
