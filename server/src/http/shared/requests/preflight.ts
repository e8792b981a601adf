import type { IncomingMessage } from 'node:http';
import { hasBody } from '../observe/arrival.ts';

/** A method as a header names it (RFC 9110, section 5.6.2). */
const token = /^[\w!#$%&'*+.^`|~-]+$/;

/** What identifies a visitor to Gatehouse or to the program behind it. Browsers send none of it with a preflight. */
const credentials = ['cookie', 'authorization', 'proxy-authorization', 'cookie2'];

/**
 * Whether a request is a CORS preflight (Fetch, section 4.8), and nothing else: it asks whether a page of another origin may
 * send a request. With credentials, a type or a body, no browser has sent it.
 * @param method as the access rules read it
 */
export function isPreflight(request: IncomingMessage, method: string | undefined): boolean {
  if (method !== 'OPTIONS' || hasBody(request)) return false;
  const { headers, headersDistinct } = request;
  const [origin, ...origins] = headersDistinct.origin ?? [];
  const [requested, ...others] = headersDistinct['access-control-request-method'] ?? [];
  if (origin === undefined || requested === undefined || origins.length + others.length > 0) return false;
  if (!/^[\x21-\x2b\x2d-\x7e]+$/.test(origin) || !token.test(requested)) return false;
  return credentials.every((name) => headers[name] === undefined) && headers['content-type'] === undefined;
}
