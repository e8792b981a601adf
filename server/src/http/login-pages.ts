import type { Site } from '@gatehouse/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { generateToken } from '../credentials/token.ts';
import { findVisitor } from '../gate/visitor.ts';
import { generateCode, readCode } from '../login/code.ts';
import { findAsk, findWaitingLink, type Login } from '../login/login.ts';
import { checkNext } from '../login/next-path.ts';
import { normalizeEmail } from '../members/email.ts';
import { hasMembers } from '../members/member-store.ts';
import {
  checkMailPage,
  deadLinkPage,
  type LoginPage,
  loginPage,
  noOperatorPage,
  pressPage,
} from '../pages/pages.ts';
import { operatorRealm, type Realm } from '../sites/realm.ts';
import { originOf } from '../sites/site.ts';
import {
  act,
  browserOf,
  countFormOfAddress,
  type Fields,
  keepCookie,
  keepSession,
  one,
  type PageParts,
  pageFrame,
  pageOptions,
  secondsToWait,
  sendPage,
  sessionTokenOf,
} from './page-request.ts';
import { readCookie } from './site-request.ts';

/** A mail may have to wait; the browser that asked is to be known when it comes. */
const loginCookieSeconds = 24 * 60 * 60;
const codeWindowSeconds = 24 * 60 * 60;
/** Codes tried for one address in a day in each known browser, and in all others; the links in the mails go on working. */
const mostCodesADay = 20;

/** Where people log in: they ask for a mail, and use the link or the code in it. */
export function addLogin(pages: FastifyInstance, parts: PageParts, realm: Realm): void {
  const { database, clock } = parts;
  const forOperators = realm === operatorRealm;
  const form = (request: FastifyRequest, view: LoginPage) =>
    loginPage(pageFrame(request), { ...view, passkeys: forOperators });

  pages.get('/login', pageOptions, async (request, reply) => {
    const site = request.site!;
    if (forOperators && !(await hasMembers(database, site.id))) {
      return sendPage(reply, noOperatorPage(pageFrame(request)));
    }
    const { next, email } = request.query as Fields;
    const view = {
      next: checkNext(one(next), originOf(site)!, realm),
      email: one(email)?.slice(0, 254) ?? '',
    };
    return sendPage(reply, form(request, view));
  });

  pages.post('/login', pageOptions, async (request, reply) => {
    const site = request.site!;
    const fields = request.body as Fields | undefined;
    const entered = one(fields?.email) ?? '';
    const origin = originOf(site)!;
    const next = checkNext(one(fields?.next), origin, realm);
    const email = normalizeEmail(entered);
    if (email === null) {
      const view = { next, email: entered.slice(0, 254), problem: 'invalid_email' } as const;
      return sendPage(reply, form(request, view), 400);
    }
    const knownBrowserId = request.knownBrowser?.idByEmail.get(email) ?? null;
    const answered = await countForeignForm(request, reply, knownBrowserId);
    if (answered) return answered;
    const bucket = budgetOf(site, knownBrowserId, email);
    const wait = await secondsToWait(parts, `login ${bucket}`, parts.settings.loginLimit);
    if (wait > 0) {
      reply.header('retry-after', wait);
      const view = { next, email, problem: 'too_many', waitMinutes: Math.ceil(wait / 60) } as const;
      return sendPage(reply, form(request, view), 429);
    }
    const browserToken = generateToken();
    const { language } = pageFrame(request);
    const ask = { email, browserToken, knownBrowserId, code: generateCode(), next, language, origin };
    await act(parts, request, 'askForLoginLink', ask);
    keepCookie(reply, 'login', site, browserToken, loginCookieSeconds);
    return reply.redirect(`${realm.prefix}/check`, 303);
  });

  pages.get('/check', pageOptions, async (request, reply) => {
    const ask = await askOf(request);
    if (!ask) return reply.redirect(`${realm.prefix}/login`, 303);
    const view = { email: ask.email, next: ask.next };
    return sendPage(
      reply,
      checkMailPage(pageFrame(request), ask.codeWorks ? view : { ...view, problem: 'code_dead' }),
    );
  });

  pages.post('/code', pageOptions, async (request, reply) => {
    const site = request.site!;
    const ask = await askOf(request);
    if (!ask) return reply.redirect(`${realm.prefix}/login`, 303);
    const answered = await countForeignForm(request, reply, ask.knownBrowserId);
    if (answered) return answered;
    const typed = one((request.body as Fields | undefined)?.code) ?? '';
    const bucket = `code ${budgetOf(site, ask.knownBrowserId, ask.email)}`;
    const tooMany =
      readCode(typed) !== undefined &&
      (await secondsToWait(parts, bucket, mostCodesADay, codeWindowSeconds)) > 0;
    const login: Login = tooMany
      ? { outcome: 'dead' }
      : await act(parts, request, 'consumeLoginCode', {
          browserToken: readCookie(request.raw, 'login', site),
          typed,
          browser: browserOf(request),
        });
    if (login.outcome === 'in') return letIn(reply, site, login);
    const problem = login.outcome === 'dead' ? 'code_dead' : 'wrong_code';
    const view = { email: ask.email, next: ask.next, problem } as const;
    return sendPage(reply, checkMailPage(pageFrame(request), view), 400);
  });

  pages.get('/link/:token', pageOptions, async (request, reply) => {
    const site = request.site!;
    const { token } = request.params as { token: string };
    const browserToken = readCookie(request.raw, 'login', site);
    const link = await findWaitingLink(database, site.id, token, browserToken, clock().toISOString());
    if (!link) return answerDeadLink(parts, request, reply, realm);
    const action = `${realm.prefix}/link/${token}`;
    return sendPage(
      reply,
      pressPage(pageFrame(request), { action, email: link.email, pressItself: link.sameBrowser }),
    );
  });

  pages.post('/link/:token', pageOptions, async (request, reply) => {
    const { token } = request.params as { token: string };
    const login = await act(parts, request, 'consumeLoginLink', { token, browser: browserOf(request) });
    if (login.outcome === 'in') return letIn(reply, request.site!, login);
    return answerDeadLink(parts, request, reply, realm);
  });

  /** What a known browser sends about somebody who is not known there counts as any browser's does. */
  const countForeignForm = async (
    request: FastifyRequest,
    reply: FastifyReply,
    knownBrowserId: string | null,
  ) =>
    request.knownBrowser && knownBrowserId === null ? countFormOfAddress(parts, request, reply) : undefined;

  const askOf = (request: FastifyRequest) =>
    findAsk(
      database,
      request.site!.id,
      readCookie(request.raw, 'login', request.site!),
      clock().toISOString(),
    );
}

/** What requests and codes are counted by: a known browser has a budget that nobody else can use up, all others share one. */
function budgetOf({ id }: Site, knownBrowserId: string | null, email: string): string {
  return knownBrowserId === null ? `${id} ${email}` : `${id} browser ${knownBrowserId}`;
}

export function letIn(
  reply: FastifyReply,
  site: Site,
  login: Extract<Login, { outcome: 'in' }>,
): FastifyReply {
  keepSession(reply, site, login);
  return reply.redirect(originOf(site)! + login.next, 303);
}

/** Whoever is in already, by this very link perhaps, is let go on. */
export async function answerDeadLink(
  { database, clock }: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { front }: Realm,
): Promise<FastifyReply> {
  const site = request.site!;
  const visitor = await findVisitor(database, site.id, sessionTokenOf(request), clock().toISOString());
  if (visitor?.status === 'active') return reply.redirect(originOf(site)! + front, 303);
  return sendPage(reply, deadLinkPage(pageFrame(request), { next: front }), 410);
}
