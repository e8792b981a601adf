/** Reads a header by its name in lower case. */
export type HeaderReader = (name: string) => string | undefined;

const token = /^[\w!#$%&'*+.^`|~-]+$/;
const credentials = ['cookie', 'authorization', 'proxy-authorization', 'cookie2'];

/**
 * Whether a request is a CORS preflight (Fetch, section 4.8), and nothing else. With credentials, a type or a body, no
 * browser has sent it.
 */
export function isPreflight(method: string, header: HeaderReader): boolean {
  if (method !== 'OPTIONS' || Number(header('content-length') ?? 0) !== 0) return false;
  const [origin = '', requested = ''] = [header('origin'), header('access-control-request-method')];
  // Two headers of one name are joined with a comma.
  if (!/^[\x21-\x2b\x2d-\x7e]+$/.test(origin) || !token.test(requested)) return false;
  return [...credentials, 'content-type', 'transfer-encoding'].every((name) => header(name) === undefined);
}
