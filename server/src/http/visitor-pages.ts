import { parse as parseForm } from 'node:querystring';
import type { Site } from '@gatehouse/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../base/clock.ts';
import { sessionLongestDays } from '../credentials/session.ts';
import { findSession, listSessions } from '../credentials/sessions.ts';
import { generateToken } from '../credentials/token.ts';
import type { Gatekeeper } from '../gate/gatekeeper.ts';
import { loginUrl } from '../gate/verified-session.ts';
import { findVisitor } from '../gate/visitor.ts';
import { generateCode } from '../login/code.ts';
import { findAsk, findWaitingLink, type Login, type LoginBrowser } from '../login/login.ts';
import { checkNext } from '../login/next-path.ts';
import type { VisitorActionName, VisitorInput, VisitorResult } from '../login/visitor-actions.ts';
import { normalizeEmail } from '../members/email.ts';
import { selectMember } from '../members/member-store.ts';
import {
  accountPage,
  checkMailPage,
  deadLinkPage,
  loginPage,
  messagePage,
  pressPage,
  pressScript,
} from '../pages/pages.ts';
import { originOf } from '../sites/site.ts';
import { findLogo } from '../sites/sites.ts';
import type { Database } from '../storage/database.ts';
import { StoreUnavailable } from '../storage/errors.ts';
import type { Performer } from './call.ts';
import { frameOf, pageHeaders, styleOf, transportHeaders } from './page-frame.ts';
import { addressBucket, type RateLimits } from './rate-limit.ts';
import { type CookieName, readCookie, setCookie, type TrustedProxies, visitedHost } from './site-request.ts';

const prefix = '/_gatehouse';
const largestFormBytes = 16 * 1024;
/** A mail may have to wait; the browser that asked is to be known when it comes. */
const loginCookieSeconds = 24 * 60 * 60;
const sessionCookieSeconds = sessionLongestDays * 24 * 60 * 60;
const askWindowSeconds = 15 * 60;
const codeWindowSeconds = 24 * 60 * 60;
/** Wrong codes for one address in a day, however often it is asked for; the links in the mails go on working. */
const mostCodesADay = 20;
const shownSessions = 100;

export interface VisitorPageSettings {
  /** Login links for one address in 15 minutes; 0 for no limit. */
  readonly loginLimit: number;
  /** Forms sent from one client address in 15 minutes; 0 for no limit. */
  readonly loginLimitClient: number;
}

export interface VisitorPageParts {
  readonly database: Database;
  readonly gatekeeper: Gatekeeper;
  readonly proxies: TrustedProxies;
  readonly limits: RateLimits;
  /** Where changes are made. */
  readonly writer: Performer;
  readonly clock: Clock;
  readonly settings: VisitorPageSettings;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The site whose page is asked for. Set on every page. */
    site: Site | null;
  }
}

/** The pages that visitors meet on a site's own domain: login, account, and what goes with them. */
export function addVisitorPages(server: FastifyInstance, parts: VisitorPageParts): void {
  server.decorateRequest('site', null);
  // Only where no proxy stands in front: somebody tries Gatehouse out.
  server.get('/', async (request, reply) => {
    const site = await parts.gatekeeper.siteAt(visitedHost(request.raw, parts.proxies));
    return site ? reply.redirect(`${prefix}/account`, 302) : reply.callNotFound();
  });
  server.register(
    async (pages) => {
      pages.removeAllContentTypeParsers();
      pages.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: largestFormBytes },
        async (_: FastifyRequest, body: string) => parseForm(body, '&', '=', { maxKeys: 20 }),
      );
      pages.addHook('onRequest', (request, reply) => enter(parts, request, reply));
      pages.setErrorHandler((error, request, reply) => answerFault(error, request, reply));
      addLogin(pages, parts);
      addAccount(pages, parts);
      addAssets(pages, parts);
    },
    { prefix },
  );
}

function addLogin(pages: FastifyInstance, parts: VisitorPageParts): void {
  const { database, clock } = parts;

  pages.get('/login', options, async (request, reply) => {
    const site = request.site!;
    const { next, email } = request.query as Fields;
    const view = { next: checkNext(one(next), originOf(site)!), email: one(email)?.slice(0, 254) ?? '' };
    return send(reply, loginPage(frame(request), view));
  });

  pages.post('/login', options, async (request, reply) => {
    const site = request.site!;
    const fields = request.body as Fields | undefined;
    const entered = one(fields?.email) ?? '';
    const next = checkNext(one(fields?.next), originOf(site)!);
    const email = normalizeEmail(entered);
    if (email === null) {
      const view = { next, email: entered.slice(0, 254), problem: 'invalid_email' } as const;
      return send(reply, loginPage(frame(request), view), 400);
    }
    const wait = await secondsToWait(parts, `login ${site.id} ${email}`, parts.settings.loginLimit);
    if (wait > 0) {
      reply.header('retry-after', wait);
      const view = { next, email, problem: 'too_many', waitMinutes: Math.ceil(wait / 60) } as const;
      return send(reply, loginPage(frame(request), view), 429);
    }
    const browserToken = generateToken();
    const { language } = frame(request);
    const ask = { email, browserToken, code: generateCode(), next, language };
    await act(parts, request, 'askForLoginLink', ask);
    keepCookie(reply, 'login', site, browserToken, loginCookieSeconds);
    return reply.redirect(`${prefix}/check`, 303);
  });

  pages.get('/check', options, async (request, reply) => {
    const ask = await askOf(request);
    if (!ask) return reply.redirect(`${prefix}/login`, 303);
    const view = { email: ask.email, next: ask.next };
    return send(
      reply,
      checkMailPage(frame(request), ask.codeWorks ? view : { ...view, problem: 'code_dead' }),
    );
  });

  pages.post('/code', options, async (request, reply) => {
    const site = request.site!;
    const ask = await askOf(request);
    if (!ask) return reply.redirect(`${prefix}/login`, 303);
    const tooMany = await secondsToWait(
      parts,
      `code ${site.id} ${ask.email}`,
      mostCodesADay,
      codeWindowSeconds,
    );
    const login: Login =
      tooMany > 0
        ? { outcome: 'dead' }
        : await act(parts, request, 'consumeLoginCode', {
            browserToken: readCookie(request.raw, 'login', site),
            typed: one((request.body as Fields | undefined)?.code) ?? '',
            browser: browserOf(request),
          });
    if (login.outcome === 'in') return letIn(reply, site, login);
    const problem = login.outcome === 'dead' ? 'code_dead' : 'wrong_code';
    const view = { email: ask.email, next: ask.next, problem } as const;
    return send(reply, checkMailPage(frame(request), view), 400);
  });

  pages.get('/link/:token', options, async (request, reply) => {
    const site = request.site!;
    const { token } = request.params as { token: string };
    const browserToken = readCookie(request.raw, 'login', site);
    const link = await findWaitingLink(database, site.id, token, browserToken, clock().toISOString());
    if (!link) return deadLink(request, reply);
    const action = `${prefix}/link/${token}`;
    return send(
      reply,
      pressPage(frame(request), { action, email: link.email, pressItself: link.sameBrowser }),
    );
  });

  pages.post('/link/:token', options, async (request, reply) => {
    const { token } = request.params as { token: string };
    const login = await act(parts, request, 'consumeLoginLink', { token, browser: browserOf(request) });
    if (login.outcome === 'in') return letIn(reply, request.site!, login);
    return deadLink(request, reply);
  });

  /** Whoever is in already, by this very link perhaps, is let go on. */
  const deadLink = async (request: FastifyRequest, reply: FastifyReply) => {
    const now = clock().toISOString();
    const visitor = await findVisitor(database, request.site!.id, sessionTokenOf(request), now);
    if (visitor?.status === 'active') return reply.redirect(`${originOf(request.site!)}/`, 303);
    return send(reply, deadLinkPage(frame(request), { next: '/' }), 410);
  };

  const askOf = (request: FastifyRequest) =>
    findAsk(
      database,
      request.site!.id,
      readCookie(request.raw, 'login', request.site!),
      clock().toISOString(),
    );
}

function addAccount(pages: FastifyInstance, parts: VisitorPageParts): void {
  const toLogin = (reply: FastifyReply) => reply.redirect(`${prefix}/login?next=${prefix}/account`, 303);

  pages.get('/account', options, async (request, reply) => {
    const saved = one((request.query as Fields).saved) === 'yes';
    const page = await account(parts, request, { saved });
    return page === undefined ? toLogin(reply) : send(reply, page);
  });

  pages.post('/account', options, async (request, reply) => {
    const entered = one((request.body as Fields | undefined)?.displayName) ?? '';
    const sessionToken = sessionTokenOf(request);
    const result = await act(parts, request, 'renameMember', { sessionToken, displayName: entered });
    if (result === 'renamed') return reply.redirect(`${prefix}/account?saved=yes`, 303);
    const view = { problem: 'invalid_name', enteredName: entered.slice(0, 1_000) } as const;
    const page = result === 'signed_out' ? undefined : await account(parts, request, view);
    return page === undefined ? toLogin(reply) : send(reply, page, 400);
  });

  pages.post('/account/sessions/end', options, async (request, reply) => {
    const sessionId = one((request.body as Fields | undefined)?.id) ?? '';
    const input = {
      sessionToken: sessionTokenOf(request),
      sessionId: uuid.test(sessionId) ? sessionId : null,
    };
    if (input.sessionId !== null) await act(parts, request, 'endSession', input);
    return reply.redirect(`${prefix}/account`, 303);
  });

  pages.post('/sign-out', options, async (request, reply) => {
    await act(parts, request, 'endSession', { sessionToken: sessionTokenOf(request), sessionId: null });
    const next = one((request.body as Fields | undefined)?.next);
    if (next === undefined) return signedOut(request, reply);
    // To log in with another address, and come back to where the way was shut.
    keepCookie(reply, 'session', request.site!, null, 0);
    return reply.redirect(loginUrl(originOf(request.site!)!, next), 303);
  });

  pages.post('/sign-out-everywhere', options, async (request, reply) => {
    await act(parts, request, 'endAllSessions', { sessionToken: sessionTokenOf(request) });
    return signedOut(request, reply);
  });

  const signedOut = (request: FastifyRequest, reply: FastifyReply) => {
    keepCookie(reply, 'session', request.site!, null, 0);
    return send(reply, messagePage(frame(request), { kind: 'signed_out' }));
  };
}

function addAssets(pages: FastifyInstance, { database }: VisitorPageParts): void {
  const kept = { 'cache-control': 'public, max-age=86400' };

  pages.get('/style.css', options, async (request, reply) =>
    reply.headers(kept).type('text/css; charset=utf-8').send(styleOf(request.site!.colour).sheet),
  );
  pages.get('/press.js', options, async (_, reply) =>
    reply.headers(kept).type('text/javascript; charset=utf-8').send(pressScript),
  );
  pages.get('/logo', options, async (request, reply) => {
    const logo = await findLogo(database, request.site!.id);
    if (!logo) return send(reply, messagePage(frame(request), { kind: 'not_found' }), 404);
    return reply
      .headers({ ...kept, 'cross-origin-resource-policy': 'cross-origin' })
      .type(logo.mediaType)
      .send(Buffer.from(logo.content, 'base64'));
  });
  pages.all('/*', options, async (request, reply) =>
    send(reply, messagePage(frame(request), { kind: 'not_found' }), 404),
  );
}

type Fields = Readonly<Record<string, string | string[] | undefined>>;

const options = { config: { uncounted: true } };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Finds the site; refuses what another site makes a browser send. */
async function enter(
  parts: VisitorPageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const site = await parts.gatekeeper.siteAt(visitedHost(request.raw, parts.proxies));
  if (!site) {
    const text =
      'There is no site at this address. Its domain has to be set in Gatehouse: gatehouse site update <site> --domain …\n';
    return reply.code(404).type('text/plain; charset=utf-8').send(text);
  }
  request.site = site;
  reply.headers({ ...pageHeaders, ...transportHeaders(site) });
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  if (isForeign(request, site)) {
    return send(reply, messagePage(frame(request), { kind: 'refused', requestId: request.id }), 403);
  }
  const wait = await secondsToWait(parts, addressBucket(request.ip), parts.settings.loginLimitClient);
  if (wait === 0) return undefined;
  reply.header('retry-after', wait);
  const waitMinutes = Math.ceil(wait / 60);
  return send(reply, messagePage(frame(request), { kind: 'too_many', waitMinutes }), 429);
}

/**
 * Whether a form was sent from somewhere else. Browsers say so (Fetch Metadata, and `Origin` of RFC 6454); what says
 * nothing is no browser that could be tricked.
 */
function isForeign({ headers }: FastifyRequest, site: Site): boolean {
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite !== undefined) return fetchSite !== 'same-origin' && fetchSite !== 'none';
  return headers.origin !== undefined && headers.origin !== originOf(site);
}

function answerFault(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { statusCode = 500 } = error as { statusCode?: number };
  const wrong = statusCode >= 400 && statusCode < 500;
  const unavailable = error instanceof StoreUnavailable;
  if (unavailable) reply.header('retry-after', 1);
  if (!wrong) request.log.error({ requestId: request.id, err: error }, 'a page failed');
  if (!request.site)
    return reply
      .code(wrong ? statusCode : 503)
      .type('text/plain')
      .send('Try again in a moment.\n');
  const kind = wrong ? 'refused' : unavailable ? 'unavailable' : 'fault';
  const page = messagePage(frame(request), { kind, requestId: request.id });
  return send(reply, page, wrong ? statusCode : unavailable ? 503 : 500);
}

/** Seconds to wait where a limit is used up, and 0 otherwise. */
async function secondsToWait(
  { limits }: VisitorPageParts,
  bucket: string,
  limit: number,
  seconds = askWindowSeconds,
): Promise<number> {
  const { exceeded, secondsToReset } = await limits.consume(`visitor ${bucket}`, limit, seconds);
  return exceeded ? Math.max(secondsToReset, 1) : 0;
}

async function act<Name extends VisitorActionName>(
  { writer, clock }: VisitorPageParts,
  request: FastifyRequest,
  action: Name,
  input: VisitorInput<Name>,
): Promise<VisitorResult<Name>> {
  const outcome = await writer.perform({
    action,
    siteId: request.site!.id,
    cause: {
      actor: { type: 'member', id: null, name: null },
      requestId: request.id,
      at: clock().toISOString(),
    },
    input,
  });
  if (outcome.kind !== 'success') throw new Error(`${action} was refused: ${outcome.message}`);
  return JSON.parse(outcome.payload!);
}

async function account(
  { database, clock }: VisitorPageParts,
  request: FastifyRequest,
  view: { saved?: boolean; problem?: 'invalid_name'; enteredName?: string },
): Promise<string | undefined> {
  const { id: siteId } = request.site!;
  const now = clock().toISOString();
  const session = await findSession(database, siteId, sessionTokenOf(request), now);
  const member = session && (await selectMember(database, siteId, session.memberId));
  if (!session || member?.status !== 'active') return undefined;
  const { data } = await listSessions(database, siteId, member.id, { limit: shownSessions }, now);
  const sessions = data.map((each) => ({ ...each, current: each.id === session.id }));
  const person = { email: member.email, displayName: member.display_name };
  return accountPage(frame(request), { member: person, sessions, now, ...view });
}

function letIn(reply: FastifyReply, site: Site, login: Extract<Login, { outcome: 'in' }>): FastifyReply {
  keepCookie(reply, 'session', site, login.token, sessionCookieSeconds);
  keepCookie(reply, 'login', site, null, 0);
  return reply.redirect(originOf(site)! + login.next, 303);
}

function browserOf(request: FastifyRequest): LoginBrowser {
  return {
    userAgent: request.headers['user-agent'] ?? null,
    clientAddress: request.ip,
    sessionToken: sessionTokenOf(request) || null,
  };
}

function sessionTokenOf(request: FastifyRequest): string {
  return readCookie(request.raw, 'session', request.site!) ?? '';
}

function keepCookie(
  reply: FastifyReply,
  name: CookieName,
  site: Site,
  value: string | null,
  maxAgeSeconds: number,
): void {
  reply.header('set-cookie', setCookie(name, site, value, maxAgeSeconds));
}

function frame(request: FastifyRequest) {
  return frameOf(request.site!, request.headers['accept-language']);
}

function send(reply: FastifyReply, page: string, status = 200): FastifyReply {
  // The framework forgets the type when it hands an error on.
  return reply.code(status).type(pageHeaders['content-type']).send(page);
}

/** A field that was sent once. */
function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
