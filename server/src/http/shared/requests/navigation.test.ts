import type { IncomingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import { isForm, isFromBrowser, isNavigation } from './navigation.ts';

const pages = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const images = 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5';
const chromium =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
const safari16 =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 16_3 like Mac OS X) AppleWebKit/605.1.15 Version/16.3 Safari';

/** As browsers send it to https and to the own machine. */
const named = (mode: string, accept = '*/*', more = {}): IncomingHttpHeaders => ({
  'sec-fetch-mode': mode,
  'user-agent': chromium,
  'accept-language': 'en',
  accept,
  ...more,
});
/** As browsers send it to plain http. */
const unnamed = (accept: string | undefined, more = {}): IncomingHttpHeaders => ({
  'user-agent': chromium,
  'accept-language': 'en',
  ...(accept !== undefined && { accept }),
  ...more,
});
const program = (name: string, accept?: string, more = {}): IncomingHttpHeaders => ({
  'user-agent': name,
  ...(accept !== undefined && { accept }),
  ...more,
});
const upgrade = { 'upgrade-insecure-requests': '1' };

/** Who sends what, and on which schemes it is a navigation. */
const requests: [who: string, headers: IncomingHttpHeaders, http: boolean, https: boolean][] = [
  ['a page', named('navigate', pages, upgrade), true, true],
  ['a form', named('navigate', pages, { ...upgrade, 'content-type': 'text/plain' }), true, true],
  ['a frame', named('navigate', pages, { ...upgrade, 'sec-fetch-dest': 'iframe' }), true, true],
  ['a page, by a service worker', named('navigate', pages, { 'sec-fetch-dest': 'empty' }), true, true],
  ['fetch', named('cors'), false, false],
  ['fetch of HTML (Turbo)', named('cors', 'text/html, application/xhtml+xml'), false, false],
  ['an image', named('no-cors', images), false, false],
  ['prefetch', named('no-cors', '*/*', { 'sec-purpose': 'prefetch' }), false, false],
  ['EventSource', named('cors', 'text/event-stream'), false, false],
  ['a WebSocket', named('websocket', undefined), false, false],
  ['Node’s fetch', { 'sec-fetch-mode': 'cors', accept: '*/*', 'user-agent': 'node' }, false, false],

  ['a page on http', unnamed(pages, upgrade), true, true],
  ['a frame on http', unnamed(pages, upgrade), true, true],
  ['fetch on http', unnamed('*/*'), false, false],
  ['an image on http', unnamed(images), false, false],
  ['a style sheet on http', unnamed('text/css,*/*;q=0.1'), false, false],
  ['a WebSocket on http', unnamed(undefined, { upgrade: 'websocket' }), false, false],
  ['EventSource on http', unnamed('text/event-stream'), false, false],
  ['a page in an Android app', unnamed(pages, { ...upgrade, 'x-requested-with': 'org.app' }), true, true],
  ['jQuery for HTML', unnamed('text/html, */*', { 'x-requested-with': 'XMLHttpRequest' }), false, false],
  // A script can accept HTML as a page does: nothing else tells them apart where no mode is sent.
  ['fetch of HTML on http', unnamed('text/html, application/xhtml+xml'), false, true],
  ['a page in Safari before 16.4', program(safari16, pages, { 'accept-language': 'en' }), false, true],
  ['Lynx', program('Lynx/2.9.0', 'text/html, text/plain, text/css, */*;q=0.01'), true, true],
  ['w3m', program('w3m/0.5.3', 'text/html, text/*;q=0.5, image/*'), true, true],

  ['curl', program('curl/8.5.0', '*/*'), true, true],
  ['curl for JSON', program('curl/8.5.0', 'application/json'), false, false],
  ['Wget', program('Wget/1.21.4', '*/*'), false, false],
  ['python-requests', program('python-requests/2.32', '*/*'), false, false],
  ['Go', program('Go-http-client/1.1'), false, false],
  ['git', program('git/2.43.0', '*/*'), false, false],
  ['axios', program('axios/1.7', 'application/json, text/plain, */*'), false, false],
  ['Java', program('Java/11.0.2', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2'), false, false],
  ['Java, newer', program('Club/1.0', 'text/html, image/gif, image/jpeg, */*; q=0.2'), false, false],
  ['no name and no type', {}, false, false],
  ['a podcast app', program('AppleCoreMedia/1.0.0 (iPhone)', '*/*'), false, false],
  [
    'a feed reader that is called Mozilla',
    program(
      'Mozilla/5.0 (compatible; Miniflux/2.2)',
      'application/rss+xml, application/xml, text/html, */*;q=0.9',
    ),
    false,
    false,
  ],
];

test.each(requests)('%s: whether it is a navigation', (_, headers, http, https) => {
  expect([isNavigation(headers, 'http'), isNavigation(headers, 'https')]).toEqual([http, https]);
});

test('a browser gets no challenge, which it would show as a dialog', () => {
  const browsers = requests.slice(0, 22).filter(([who]) => who !== 'Node’s fetch');
  for (const [who, headers] of browsers) expect([who, isFromBrowser(headers)]).toEqual([who, true]);
  const programs = requests.slice(24);
  for (const [who, headers] of programs) expect([who, isFromBrowser(headers)]).toEqual([who, false]);
});

test('a form is known by its method, or else by the headers that only forms have', () => {
  expect([isForm({}, 'POST'), isForm({}, 'PUT'), isForm({}, 'GET'), isForm({}, 'HEAD')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(isForm({ 'content-type': 'multipart/form-data' }, undefined)).toBe(true);
  expect(isForm({ origin: 'null' }, undefined)).toBe(true);
  expect(isForm({ accept: pages }, undefined)).toBe(false);
});
