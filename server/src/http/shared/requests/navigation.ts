import type { IncomingHttpHeaders } from 'node:http';
import type { Site } from '@gatehouse/contract';

/**
 * What browsers send when they open a page. Scripts and programs that list HTML list something else before it, or pictures
 * behind it, as every program in Java does that names no type.
 */
const prefersPages = /^\s*(?:text\/html|application\/xhtml\+xml)\b(?!, image\/gif, image\/jpeg, \*)/i;
const namesBrowser = /^Mozilla\//;

/**
 * Whether a person opens a page or sends a form, and can be redirected to the login page. Scripts and programs cannot:
 * they would take the login page for what they requested. Browsers name the mode of a request only on https and on the
 * own machine (Fetch Metadata, section 2).
 */
export function isNavigation(headers: IncomingHttpHeaders, scheme: Site['scheme']): boolean {
  const { 'sec-fetch-mode': mode, accept = '', 'user-agent': program = '' } = headers;
  if (mode !== undefined) return mode === 'navigate';
  // People try a site out with curl, as the guides do. It follows a redirect only with an option.
  if (program.startsWith('curl/') && accept === '*/*') return true;
  if (!prefersPages.test(accept) || headers['x-requested-with'] === 'XMLHttpRequest') return false;
  // On http, browsers offer to upgrade only for pages, and a script may accept HTML too. Text browsers run no scripts.
  const isScriptPossible = scheme === 'http' && namesBrowser.test(program);
  return !isScriptPossible || headers['upgrade-insecure-requests'] !== undefined;
}

/** Whether a browser sent a request for whatever purpose: it would answer a challenge with a dialog. */
export function isFromBrowser(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-mode': mode, accept = '', 'user-agent': program = '' } = headers;
  if (mode !== undefined || prefersPages.test(accept)) return true;
  // Feed readers that call themselves Mozilla have no language.
  return namesBrowser.test(program) && headers['accept-language'] !== undefined;
}

/**
 * Whether a form was sent, which a redirect would lose. A proxy may not name the method: then only forms have a type or
 * an origin, because a browser that opens a page sends neither.
 */
export function isForm(headers: IncomingHttpHeaders, method: string | undefined): boolean {
  if (method !== undefined) return method !== 'GET' && method !== 'HEAD';
  return headers['content-type'] !== undefined || headers.origin !== undefined;
}
