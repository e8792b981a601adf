import type { ErrorCode, ErrorDetail } from '../types.ts';
import type { ReceivedResponse, ResponseInfo } from './call.ts';
import { GatehouseError } from './error.ts';

/** Converts a response to its body and metadata. @throws GatehouseError if it is an error */
export function readResponse(response: Response, text: string, requestId: string): ReceivedResponse<unknown> {
  const info = toInfo(response);
  if (response.status === 204) return { body: undefined, response: info };
  const body = parse(text);
  if (response.ok && isObject(body) && 'data' in body) return { body, response: info };
  throw toError(response, body, info.requestId ?? requestId);
}

function toInfo({ status, headers }: Response): ResponseInfo {
  const header = (name: string) => headers.get(name) ?? undefined;
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    headers.get(`x-ratelimit-${name}`),
  );
  return {
    status,
    requestId: header('x-request-id'),
    etag: header('etag'),
    location: header('location'),
    rateLimit:
      limit && remaining && reset
        ? { limit: Number(limit), remaining: Number(remaining), resetsAt: new Date(Number(reset) * 1_000) }
        : undefined,
    replayed: header('idempotency-replayed') === 'true',
    headers,
  };
}

function toError(response: Response, body: unknown, requestId: string): GatehouseError {
  const { status } = response;
  const retryAfterSeconds = toSeconds(response.headers.get('retry-after'));
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  if (status >= 400 && typeof error.code === 'string') {
    return new GatehouseError(String(error.message), {
      code: error.code as ErrorCode,
      status,
      requestId,
      details: error.details as ErrorDetail[] | undefined,
      retryAfterSeconds,
    });
  }
  return new GatehouseError(describeUnexpected(response), {
    code: 'unexpected_response',
    // In a browser, a redirect that is not followed has the status 0.
    status: status || undefined,
    requestId,
    retryAfterSeconds,
  });
}

function describeUnexpected({ status, type, headers }: Response): string {
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const target = headers.get('location');
    return `The service redirects to another URL${target ? ` (${target})` : ''}. Correct \`url\`.`;
  }
  return `The response (status ${status}) does not come from Gatehouse. Check \`url\` and any proxy in front of the service.`;
}

/** `Retry-After` is a number of seconds or a date (RFC 9110, section 10.2.3). */
function toSeconds(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const time = Date.parse(header);
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - Date.now()) / 1_000));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
