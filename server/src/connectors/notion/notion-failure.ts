import { isHTTPResponseError, isNotionClientError, RequestTimeoutError } from '@notionhq/client';
import { OutgoingRequestFailed, OutgoingRequestRejected } from '../../base/networks/outgoing-error.ts';
import {
  CollectionGone,
  CollectionUnreadable,
  WorkspaceUnavailable,
} from '../../domain/sources/workspaces/workspace.ts';
import { retryAfterSeconds } from '../outgoing/retry-after.ts';

/** Notion rejected a request as not valid, for example because its cursor is. */
export class InvalidNotionRequest extends CollectionUnreadable {
  constructor() {
    super(
      'rejected',
      'Notion rejected the request for this data source. Check its columns, or choose it again.',
    );
  }
}

/** The integration lacks a capability. */
export class NotionRestricted extends WorkspaceUnavailable {
  constructor() {
    super(
      'rejected',
      'Notion does not let the integration read content. In the settings of the integration in Notion, turn on the ' +
        'capability "Read content".',
    );
  }
}

export interface NotionFailure {
  /** With a message for operators, which contains nothing of the request. */
  readonly error: Error;
  /** Whether another attempt may succeed. */
  readonly isTemporary: boolean;
  readonly retryAfterSeconds: number | undefined;
}

/** What an error of the client means. The messages of the client are not used: they may contain details of requests. */
export function failureOf(error: unknown, now: Date): NotionFailure {
  if (isHTTPResponseError(error)) return responseFailure(error, now);
  if (error instanceof RequestTimeoutError) return temporary('Notion did not respond in time.');
  // The client does not send a path that could lead to another resource.
  if (isNotionClientError(error)) return permanent(new InvalidNotionRequest());
  // The client parses the body of a successful response as JSON.
  if (error instanceof SyntaxError) return permanent(notFromNotion());
  if (error instanceof OutgoingRequestRejected) {
    return permanent(new WorkspaceUnavailable('rejected', error.message));
  }
  if (error instanceof OutgoingRequestFailed) {
    const isTemporary = error.reason !== 'tls_failed' && error.reason !== 'response_too_large';
    const message = `There was no complete response from Notion. ${error.message}`;
    return {
      error: new WorkspaceUnavailable('unavailable', message),
      isTemporary,
      retryAfterSeconds: undefined,
    };
  }
  return permanent(error instanceof Error ? error : new Error('The client of Notion failed.'));
}

/** Someone else has answered, such as a proxy. */
export function notFromNotion(): WorkspaceUnavailable {
  return new WorkspaceUnavailable(
    'unavailable',
    'The response did not come from the API of Notion. Check whether a proxy or firewall answers instead, or try again ' +
      'later.',
  );
}

interface ResponseError {
  readonly code: string;
  readonly status: number;
  readonly headers: unknown;
}

function responseFailure({ code, status, headers }: ResponseError, now: Date): NotionFailure {
  const retryAfter = retryAfterSeconds(headers instanceof Headers ? headers.get('retry-after') : null, now);
  if (status === 429)
    return temporary('Notion received too many requests from this integration.', retryAfter);
  if (status >= 500 || status === 409) {
    return temporary(`Notion cannot process requests at the moment (status ${status}).`, retryAfter);
  }
  // A proxy may send the same statuses, but not these codes.
  if (code === 'unauthorized') return permanent(tokenRejected());
  if (code === 'restricted_resource') return permanent(new NotionRestricted());
  if (code === 'object_not_found') return permanent(new CollectionGone());
  if (/^(?:validation_error|invalid_\w+)$/.test(code)) return permanent(new InvalidNotionRequest());
  return permanent(notFromNotion());
}

function tokenRejected(): WorkspaceUnavailable {
  return new WorkspaceUnavailable(
    'rejected',
    'Notion rejected the token. Copy the token from the settings of the integration in Notion, and enter it in this ' +
      'source.',
  );
}

function temporary(what: string, retryAfter?: number): NotionFailure {
  const message = `${what} It is tried again later.`;
  return {
    error: new WorkspaceUnavailable('unavailable', message, retryAfter),
    isTemporary: true,
    retryAfterSeconds: retryAfter,
  };
}

function permanent(error: Error): NotionFailure {
  return { error, isTemporary: false, retryAfterSeconds: undefined };
}
