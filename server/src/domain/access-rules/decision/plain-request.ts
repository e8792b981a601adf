import type { AccessRule } from '@gatehouse/contract';

/** The part of a request that may choose another page at the same path, or change something. */
export interface RequestForm {
  /** The path of the request with its query, exactly as the proxy received it. */
  readonly target: string;
  /** Undefined if it is unknown, or if the request may be treated as another one. Called only if a rule depends on it. */
  method(): string | undefined;
  /** Whether it is a CORS preflight, which carries nothing but the question. Called only if a rule depends on it. */
  isPreflight(): boolean;
}

/**
 * Whether a request can only get the page at its path: GET or HEAD, with no other query parameters than those of the
 * rule. Names are compared as they are written; a name in another form may be the same for a program.
 */
export function isPlainRequest(rule: AccessRule, request: RequestForm): boolean {
  const method = request.method();
  return (method === 'GET' || method === 'HEAD') && hasListedQuery(rule, request);
}

/** Whether a request has no other query parameters than those of the rule. */
export function hasListedQuery({ queryParameters }: AccessRule, { target }: RequestForm): boolean {
  const start = target.indexOf('?');
  if (start === -1 || start === target.length - 1) return true;
  const query = target.slice(start + 1);
  // Some programs separate parameters with semicolons.
  if (queryParameters === undefined || query.includes(';')) return false;
  return query.split('&').every((parameter) => queryParameters.includes(parameter.split('=', 1)[0]!));
}
