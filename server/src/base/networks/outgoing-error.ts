/** Why a URL must not be requested. Another attempt has the same result until someone changes the URL or a setting. */
export type RejectionReason = 'url_not_allowed' | 'address_not_allowed' | 'redirect_not_allowed';

/** Why a request got no complete response. */
export type FailureReason =
  | 'name_not_found'
  | 'connection_failed'
  | 'tls_failed'
  | 'timed_out'
  | 'response_too_large'
  | 'invalid_response';

/**
 * A request to an address that someone else chose had no result. `message` says what happened and what to do. It
 * contains no resolved address, no query and no header, so it can be shown to the person who chose the address.
 */
export abstract class OutgoingRequestError extends Error {
  abstract readonly reason: RejectionReason | FailureReason;
}

/** The request was not sent, or a redirect was not followed. */
export class OutgoingRequestRejected extends OutgoingRequestError {
  readonly reason: RejectionReason;

  constructor(reason: RejectionReason, message: string) {
    super(message);
    this.name = 'OutgoingRequestRejected';
    this.reason = reason;
  }
}

/** The request was allowed but has no complete response. The server may have processed it. */
export class OutgoingRequestFailed extends OutgoingRequestError {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.name = 'OutgoingRequestFailed';
    this.reason = reason;
  }
}

const timeouts = /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/;
const lostConnections =
  /^(?:ECONN\w+|EPIPE|E(?:HOST|NET)(?:UNREACH|DOWN)|EADDRNOTAVAIL|UND_ERR_(?:SOCKET|CLOSED|DESTROYED))$/;
const tlsErrors = /^(?:EPROTO|ERR_(?:SSL|TLS)_)/;

/** The error for one that happened while a connection to `host` was being opened. */
export function connectionError(error: Error, host: string, isTls: boolean): OutgoingRequestError {
  return knownError(error, host) ?? (isTls ? tlsFailure(error, host) : connectionFailure(host));
}

/** The error for one that happened on an open connection to `host`. */
export function responseError(error: unknown, host: string): OutgoingRequestError {
  return (
    knownError(error, host) ??
    new OutgoingRequestFailed(
      'invalid_response',
      `${host} did not send a valid HTTP response. Check the URL, or ask the administrator of the server.`,
    )
  );
}

export function timeoutError(): OutgoingRequestFailed {
  return new OutgoingRequestFailed(
    'timed_out',
    'The response was not complete in time. Check the URL, or try again later.',
  );
}

function knownError(error: unknown, host: string): OutgoingRequestError | undefined {
  if (error instanceof OutgoingRequestError) return error;
  const code = codeOf(error);
  if (timeouts.test(code)) return timeoutError();
  if (code === 'ECONNREFUSED') {
    return new OutgoingRequestFailed(
      'connection_failed',
      `${host} does not accept connections. Check the host and its port, or try again later.`,
    );
  }
  if (lostConnections.test(code)) return connectionFailure(host);
  return tlsErrors.test(code) ? tlsFailure(error, host) : undefined;
}

function connectionFailure(host: string): OutgoingRequestFailed {
  return new OutgoingRequestFailed(
    'connection_failed',
    `The connection to ${host} failed or was closed before the response was complete. Check the URL, or try again later.`,
  );
}

function tlsFailure(error: unknown, host: string): OutgoingRequestFailed {
  return new OutgoingRequestFailed(
    'tls_failed',
    `There is no secure connection to ${host} (${codeOf(error) || 'TLS error'}). Its certificate must be valid for this name and issued by a known authority.`,
  );
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
