import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { withoutAppended } from '../../base/text/appended-characters.ts';
import { findVisitor } from '../../domain/access-rules/visitor.ts';
import { operatorPages } from '../../domain/sites/page-addresses.ts';
import { loginUrl } from '../../domain/sites/site-addresses.ts';
import { AssetFolder, sendAsset } from '../shared/pages/assets.ts';
import { sendNotFoundPage } from '../shared/pages/page-response.ts';
import { isNavigation } from '../shared/requests/navigation.ts';
import { sessionTokenOf } from '../shared/requests/page-cookies.ts';
import { type PageParts, viewOf } from '../shared/requests/page-parts.ts';

/** The placeholder in the built page that each response replaces with its nonce. */
const noncePlaceholder = /__NONCE__/g;

export interface DashboardAppParts extends PageParts {
  /** The folder that the app is built into. */
  readonly dashboardFolder: string;
}

/** The app: one page for all paths, for logged-in operators, and its assets. */
export function addDashboardApp(pages: FastifyInstance, parts: DashboardAppParts): void {
  const assets = new AssetFolder(path.join(parts.dashboardFolder, 'assets'));

  pages.get('/assets/:name', async (request, reply) => {
    const asset = await assets.find((request.params as { name: string }).name);
    if (!asset) return sendNotFoundPage(request, reply);
    // The name of a file changes with its content.
    return sendAsset(request, reply, asset, 'public, max-age=31536000, immutable');
  });

  pages.get('', async (_, reply) => reply.redirect(operatorPages.front, 302));
  pages.all('/*', async (request, reply) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads || !isNavigation(request.headers, request.site!.scheme))
      return sendNotFoundPage(request, reply);
    const page = pageNamed(request);
    if (page !== undefined) return reply.redirect(page, 302);
    const operator = await findVisitor(viewOf(parts, request), sessionTokenOf(request));
    if (operator?.status !== 'active') return reply.redirect(loginUrl(request.site!, request.url), 302);
    return sendApp(parts, request, reply);
  });
}

/** The page that an email names, if something was appended to its address. */
function pageNamed({ params }: FastifyRequest): string | undefined {
  const path = (params as { '*': string })['*'];
  const page = withoutAppended(path);
  return page !== path && /^[A-Za-z0-9/-]+$/.test(page) ? operatorPages.front + page : undefined;
}

async function sendApp(
  { dashboardFolder }: DashboardAppParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const document = await readFile(path.join(dashboardFolder, 'index.html'), 'utf8').catch(() => undefined);
  if (document === undefined) {
    request.log.warn('the dashboard is not built');
    return reply.code(503).type('text/plain; charset=utf-8').send(notBuiltMessage);
  }
  const nonce = randomBytes(18).toString('base64url');
  return reply
    .header('content-security-policy', policy(nonce))
    .type('text/html; charset=utf-8')
    .send(document.replace(noncePlaceholder, nonce));
}

const notBuiltMessage = 'The dashboard is not built yet. Build it: npm run build --workspace dashboard\n';

/** The app may load only from this server; only its own scripts and styles are allowed. */
function policy(nonce: string): string {
  return (
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
    "connect-src 'self'; font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  );
}
