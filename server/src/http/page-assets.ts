import type { FastifyInstance } from 'fastify';
import { type PageScript, pressScript } from '../pages/pages.ts';
import { findLogo } from '../sites/sites.ts';
import { styleOf } from './page-frame.ts';
import { type PageParts, pageOptions, sendNotFound } from './page-request.ts';

/** For a day: what has a version in its address, and pictures, that change so seldom that nobody minds. */
export const kept = { 'cache-control': 'public, max-age=86400' };

/** What the pages of a site are drawn with. */
export function addAssets(pages: FastifyInstance, { database }: PageParts): void {
  pages.get('/style.css', pageOptions, async (request, reply) =>
    reply.headers(kept).type('text/css; charset=utf-8').send(styleOf(request.site!.colour).sheet),
  );
  addScript(pages, pressScript);
  pages.get('/logo', pageOptions, async (request, reply) => {
    const logo = await findLogo(database, request.site!.id);
    if (!logo) return sendNotFound(request, reply);
    return reply
      .headers({ ...kept, 'cross-origin-resource-policy': 'cross-origin' })
      .type(logo.mediaType)
      .send(Buffer.from(logo.content, 'base64'));
  });
}

export function addScript(pages: FastifyInstance, { name, text }: PageScript): void {
  pages.get(`/${name}`, pageOptions, async (_, reply) =>
    reply.headers(kept).type('text/javascript; charset=utf-8').send(text),
  );
}
