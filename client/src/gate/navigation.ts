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

/**
 * What browsers send when they open a page. Scripts and programs that list HTML list something else before it, or pictures
 * behind it, as every program in Java does that names no type.
 */
const prefersPages = /^\s*(?:text\/html|application\/xhtml\+xml)\b(?!, image\/gif, image\/jpeg, \*)/i;

/**
 * Whether a person opens a page or sends a form, and can be redirected to the login page. Browsers name the mode of a
 * request only on https and on the own machine (Fetch Metadata, section 2). The service decides in the same way.
 */
export function isNavigation(method: string, header: HeaderReader, isPlainHttp: boolean): boolean {
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') return false;
  const mode = header('sec-fetch-mode');
  if (mode !== undefined) return mode === 'navigate';
  const [accept = '', program = ''] = [header('accept'), header('user-agent')];
  // People try a site out with curl. It follows a redirect only with an option.
  if (program.startsWith('curl/') && accept === '*/*') return true;
  if (!prefersPages.test(accept) || header('x-requested-with') === 'XMLHttpRequest') return false;
  // On http, browsers offer to upgrade only for pages, and a script may accept HTML too. Text browsers run no scripts.
  const isScriptPossible = isPlainHttp && program.startsWith('Mozilla/');
  return !isScriptPossible || header('upgrade-insecure-requests') !== undefined;
}
