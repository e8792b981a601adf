import { readOnlyPosts, routes } from '../api/operations.ts';
import { GatehouseError } from './error.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from './options.ts';
import type { Settings } from './settings.ts';
import type { OperationId } from './shapes.ts';

/** A request that can be sent repeatedly. */
export interface ApiRequest {
  readonly url: string;
  readonly init: RequestInit;
  readonly requestId: string;
  /** Whether the request has the same effect when it is sent twice. */
  readonly repeatable: boolean;
}

interface Parts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export function toRequest(
  settings: Settings,
  id: OperationId,
  { params = {}, query = {}, body }: Parts,
  options: CallOptions & CreateOptions & ChangeOptions,
): ApiRequest {
  const [method, path] = routes[id].split(' ') as [string, string];
  const requestId = options.requestId ?? crypto.randomUUID();
  const headers = new Headers(options.headers);
  headers.set('authorization', `Bearer ${settings.key}`);
  headers.set('accept', 'application/json');
  headers.set('user-agent', settings.userAgent);
  headers.set('x-request-id', requestId);
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (method === 'POST' && !readOnlyPosts.includes(id))
    headers.set('idempotency-key', quoted(options.idempotencyKey ?? crypto.randomUUID()));
  if (options.ifMatch !== undefined) headers.set('if-match', options.ifMatch);
  return {
    url: settings.apiUrl + fillPath(path, params, requestId) + toQueryString(query),
    // A redirect would turn a POST into a GET.
    init: { method, headers, redirect: 'manual', ...(body !== undefined && { body: JSON.stringify(body) }) },
    requestId,
    // A POST has an idempotency key or changes nothing. A repeated PATCH could undo a change that another caller made
    // in the meantime, and a repeated DELETE would not find the resource that it has already deleted.
    repeatable: method === 'GET' || method === 'POST',
  };
}

/** A string of RFC 9651, section 3.3.3, which may contain spaces. */
function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

function fillPath(path: string, params: Readonly<Record<string, string>>, requestId: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name]);
    // In a URL these would lead to another path, and therefore to another operation.
    if (['', '.', '..'].includes(value)) {
      throw new GatehouseError(`"${value}" is not a valid ${name}. Use the id of an existing resource.`, {
        code: 'invalid_request',
        requestId,
        details: [{ path: `/${name}`, message: `${name} is not an ID. Use a UUID.` }],
      });
    }
    return encodeURIComponent(value);
  });
}

function toQueryString(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
