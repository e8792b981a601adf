import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loginUrl } from '../gate/verified-session.ts';
import { findVisitor } from '../gate/visitor.ts';
import type { Realm } from '../sites/realm.ts';
import { AssetFolder } from './asset-folder.ts';
import { type PageParts, pageOptions, sendNotFound, sessionTokenOf } from './page-request.ts';
import { isNavigation } from './site-request.ts';

/** Where the build puts what stands for the nonce of an answer. */
const noncePlace = /__NONCE__/g;

export interface DashboardAppParts extends PageParts {
  /** Where the app is built to. */
  readonly dashboardFolder: string;
}

/** The app: one page whatever the address, for operators who are signed in, and the files that go with it. */
export function addDashboardApp(pages: FastifyInstance, parts: DashboardAppParts, { front }: Realm): void {
  const assets = new AssetFolder(path.join(parts.dashboardFolder, 'assets'));

  pages.get('/assets/:name', pageOptions, async (request, reply) => {
    const asset = await assets.find((request.params as { name: string }).name);
    if (!asset) return sendNotFound(request, reply);
    const { mediaType, plain, compressed } = asset;
    reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' });
    const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    if (!compressed || !takesGzip) return reply.type(mediaType).send(plain);
    return reply.header('content-encoding', 'gzip').type(mediaType).send(compressed);
  });

  pages.get('', pageOptions, async (_, reply) => reply.redirect(front, 302));
  pages.all('/*', pageOptions, async (request, reply) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads || !isNavigation(request.raw)) return sendNotFound(request, reply);
    const now = parts.clock().toISOString();
    const operator = await findVisitor(parts.database, request.site!.id, sessionTokenOf(request), now);
    if (operator?.status !== 'active') return reply.redirect(loginUrl(request.site!, request.url), 302);
    return sendApp(parts, request, reply);
  });
}

async function sendApp(
  { dashboardFolder }: DashboardAppParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const document = await readFile(path.join(dashboardFolder, 'index.html'), 'utf8').catch(() => undefined);
  if (document === undefined) {
    request.log.warn('the dashboard is not built');
    return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt);
  }
  const nonce = randomBytes(18).toString('base64url');
  return reply
    .header('content-security-policy', policy(nonce))
    .type('text/html; charset=utf-8')
    .send(document.replace(noncePlace, nonce));
}

const notBuilt = 'The dashboard is not built yet. Build it: npm run build --workspace dashboard\n';

/** The app may use what this server gives and ask no other host; only its own scripts run, and only its own styles count. */
function policy(nonce: string): string {
  return (
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
    "connect-src 'self'; font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  );
}
