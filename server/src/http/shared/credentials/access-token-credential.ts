import type { IncomingMessage } from 'node:http';
import type { Site } from '@gatehouse/contract';
import type { Credentials } from '../../../domain/access-rules/site-access.ts';
import { isForGatehouse } from '../../../domain/access-tokens/access-token.ts';
import { mayExist, type WrongTokenLimits } from '../limits/wrong-tokens.ts';
import { readCookie } from '../requests/site-request.ts';

/** The query parameter with an access token, below paths whose rule has `acceptsTokenInUrl` (RFC 6750, section 2.3). */
const parameterName = 'access_token';

interface VisitorRequest {
  readonly site: Site;
  /** The path that the visitor requested, with its query. */
  readonly target: string;
  ipAddress(): string | undefined;
}

/** A target without the access tokens in its query. */
interface TargetWithToken {
  /** The target as if no token had been sent. */
  readonly target: string;
  /** The token; null if there are several different ones. */
  readonly token: string | null;
}

/** What a request sends to identify its visitor. */
export function credentialsOf(
  request: IncomingMessage,
  wrongTokens: WrongTokenLimits,
  { site, target, ipAddress }: VisitorRequest,
): Credentials {
  return {
    header: tokenInHeader(request),
    query: () => tokenInQuery(target),
    session: () => readCookie(request, 'session', site),
    pass: () => readCookie(request, 'pass', site),
    mayExist: (token) => mayExist(wrongTokens, site.id, token, ipAddress()),
  };
}

/**
 * The access token in the `Authorization` header: as the token of Bearer (RFC 6750, section 2.1), or as the password of
 * Basic with any user name (RFC 7617). Undefined for every other credential, which is for the program behind the gate.
 */
export function tokenInHeader({ headers: { authorization } }: IncomingMessage): string | undefined {
  if (authorization === undefined) return undefined;
  const [, scheme, value] = /^(bearer|basic) +(\S+) *$/i.exec(authorization) ?? [];
  if (scheme === undefined || value === undefined) return undefined;
  const credential = scheme.toLowerCase() === 'basic' ? passwordOf(value) : value;
  return credential !== undefined && isForGatehouse(credential) ? credential : undefined;
}

/** A target without access tokens, for addresses that others may see. */
export function withoutToken(target: string): string {
  return tokenInQuery(target)?.target ?? target;
}

/** The access token in the query of a target; undefined if there is none. Only the exact name is looked at. */
function tokenInQuery(target: string): TargetWithToken | undefined {
  const start = target.indexOf('?');
  if (start === -1 || !target.includes(`${parameterName}=`, start)) return undefined;
  const parameters = target.slice(start + 1).split('&');
  const tokens = new Set(parameters.filter(isTokenParameter).map(valueIn));
  if (tokens.size === 0) return undefined;
  const others = parameters.filter((parameter) => !isTokenParameter(parameter)).join('&');
  const path = target.slice(0, start);
  return {
    target: others === '' ? path : `${path}?${others}`,
    token: tokens.size === 1 ? [...tokens][0]! : null,
  };
}

function isTokenParameter(parameter: string): boolean {
  return parameter.startsWith(`${parameterName}=`) && isForGatehouse(valueIn(parameter));
}

function valueIn(parameter: string): string {
  return parameter.slice(parameterName.length + 1);
}

function passwordOf(credentials: string): string | undefined {
  const decoded = Buffer.from(credentials, 'base64').toString();
  const colon = decoded.indexOf(':');
  return colon === -1 ? undefined : decoded.slice(colon + 1);
}
