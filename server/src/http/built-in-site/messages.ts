import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Site } from '@gatehouse/contract';
import { type MessagePage, messagePage, noSitePage } from '../../pages/pages.ts';
import { frameOf, frameWithoutSite, headersWithoutSite, pageHeaders } from '../shared/pages/page-frame.ts';

/** Sends a page of Gatehouse with one message, in the language of the visitor. */
export function sendMessage(
  { request, response, site }: { request: IncomingMessage; response: ServerResponse; site: Site },
  status: number,
  kind: MessagePage['kind'],
  headers: OutgoingHttpHeaders = {},
): void {
  const frame = frameOf(site, request.headers['accept-language']);
  const page = Buffer.from(messagePage(frame, { kind }));
  response.writeHead(status, { ...pageHeaders, 'content-length': page.length, ...headers }).end(page);
}

/** The host of a request is not an address of the site (RFC 9110, section 15.5.20). */
export function sendWrongHost(request: IncomingMessage, response: ServerResponse): void {
  const page = noSitePage(frameWithoutSite(request.headers['accept-language']));
  response.writeHead(421, headersWithoutSite).end(page);
}
