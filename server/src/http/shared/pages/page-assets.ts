import type { FastifyInstance } from 'fastify';
import { findLogo } from '../../../domain/sites/sites.ts';
import {
  codeScript,
  confirmLoginScript,
  type PageScript,
  passkeyScript,
  sendOnceScript,
  siteMark,
} from '../../../pages/pages.ts';
import type { PageParts } from '../requests/page-parts.ts';
import { styleOf } from './page-frame.ts';
import { sendNotFoundPage } from './page-response.ts';

/** Cached for a day: assets with a version in their URL, and images, which rarely change. */
export const cacheHeaders = { 'cache-control': 'public, max-age=86400' };

/** Adds the routes of the assets that a site's pages load. */
export function addAssets(pages: FastifyInstance, { database }: PageParts): void {
  pages.get('/style.css', async (request, reply) =>
    reply.headers(cacheHeaders).type('text/css; charset=utf-8').send(styleOf(request.site!.color).sheet),
  );
  addScript(pages, sendOnceScript);
  addScript(pages, codeScript);
  addScript(pages, confirmLoginScript);
  addScript(pages, passkeyScript);
  pages.get('/icon', async (request, reply) =>
    reply.headers(cacheHeaders).type('image/svg+xml').send(siteMark(request.site!)),
  );
  pages.get('/logo', async (request, reply) => {
    const logo = await findLogo({ db: database, siteId: request.site!.id });
    if (!logo) return sendNotFoundPage(request, reply);
    return reply
      .headers({ ...cacheHeaders, 'cross-origin-resource-policy': 'cross-origin' })
      .type(logo.mediaType)
      .send(Buffer.from(logo.content, 'base64'));
  });
}

export function addScript(pages: FastifyInstance, { name, text }: PageScript): void {
  pages.get(`/${name}`, async (_, reply) =>
    reply.headers(cacheHeaders).type('text/javascript; charset=utf-8').send(text),
  );
}
