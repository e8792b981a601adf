import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a browser says (Fetch Metadata) that a request is not for a whole page: a script of another page of the host
 * sent it, which could read the response, or the response is for a frame. All browsers that send these headers send the
 * destination; the `fetch` of Node sends only the mode.
 */
export function isNotForPage({
  'sec-fetch-mode': mode,
  'sec-fetch-dest': destination,
}: IncomingHttpHeaders): boolean {
  return destination !== undefined && (destination !== 'document' || mode !== 'navigate');
}

/**
 * Whether a browser says that a service worker of the host passes on the request for a whole page. It then names no
 * destination. No other script can send the mode; a browser that fetches a page in advance names its purpose.
 */
export function isFromServiceWorker(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, 'sec-purpose': purpose } = headers;
  return mode === 'navigate' && destination === 'empty' && purpose === undefined;
}

/**
 * Whether a browser says that a form was sent by a script, and by no one's press. Only Chromium, which also names itself,
 * is believed: Safari sends the other headers of Fetch Metadata and never `Sec-Fetch-User`.
 */
export function isUnpressed(headers: IncomingHttpHeaders): boolean {
  const isKnowing = headers['sec-ch-ua'] !== undefined && headers['sec-fetch-mode'] !== undefined;
  return isKnowing && headers['sec-fetch-user'] !== '?1';
}

/** The first version of Chromium that knows `noopener-allow-popups`. */
const firstVersion = 131;

/**
 * With `same-origin` a page of the same host that sends it too can still read the window it opens, and with
 * `noopener-allow-popups` none can. A browser that does not know the second value would take it for no policy.
 */
export function openerPolicyFor({ 'sec-ch-ua': brands = '' }: IncomingHttpHeaders): string {
  const [, version = '0'] = /"Chromium";v="(\d{1,5})"/.exec(String(brands)) ?? [];
  return Number(version) >= firstVersion ? 'noopener-allow-popups' : 'same-origin';
}
