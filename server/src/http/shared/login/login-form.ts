import { normalizeEmail, type Site } from '@gatehouse/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { withoutAppended } from '../../../base/text/appended-characters.ts';
import { generateCode } from '../../../domain/login-links/login-code.ts';
import { browserTokenFor } from '../../../domain/logins/login-requests.ts';
import { hasMembers } from '../../../domain/members/member-lookup.ts';
import { checkNext } from '../../../domain/sites/next-path.ts';
import { offersCodeField, returnToHostPath, unsentField } from '../../../domain/sites/page-addresses.ts';
import { loginSurfaceOf, originOf } from '../../../domain/sites/site.ts';
import { pageCodeUrl, pagesOf } from '../../../domain/sites/site-addresses.ts';
import { atNamedHost, isFurtherHost } from '../../../domain/sites/visited-site.ts';
import { type LoginPage, loginPage, noOperatorPage } from '../../../pages/pages.ts';
import { pageFrame, sendPage } from '../pages/page-response.ts';
import { act } from '../requests/page-action.ts';
import { offerForm, sentForm, setCookie } from '../requests/page-cookies.ts';
import { type PageParts, viewOf } from '../requests/page-parts.ts';
import { type Fields, one, secondsToWait } from '../requests/page-request.ts';
import { countUnknownEmail, loginBucket } from './login-limits.ts';

/** An email may be delayed; the browser that requested it must still be known when it arrives. */
const loginCookieSeconds = 24 * 60 * 60;

/** The form that requests a login link. */
export function addLoginForm(pages: FastifyInstance, parts: PageParts): void {
  pages.get('/login', async (request, reply) => {
    const { next, email, [unsentField]: unsent, [offersCodeField]: code } = request.query as Fields;
    if (isForOperators(request) && !(await hasMembers({ db: parts.database, siteId: request.site!.id }))) {
      return sendPage(reply, noOperatorPage(pageFrame(request)));
    }
    offerForm(request, reply);
    const view = {
      next: nextOf(request, next),
      email: withoutAppended(one(email)?.slice(0, 254) ?? ''),
      ...(one(unsent) === 'yes' && { problem: 'unsent' as const }),
      ...(one(code) === 'yes' && { pageCodeUrl: pageCodeUrlFor(request, one(next)) }),
    };
    return sendPage(reply, formPage(request, view));
  });

  pages.post('/login', async (request, reply) => {
    const fields = request.body as Fields | undefined;
    const next = nextOf(request, fields?.next);
    const entered = one(fields?.email) ?? '';
    const email = normalizeEmail(entered);
    if (email === null) {
      const view = { next, email: entered.slice(0, 254), problem: 'invalid_email' } as const;
      return sendPage(reply, formPage(request, view), 400);
    }
    return requestLink(parts, request, reply, email, next);
  });
}

async function requestLink(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
  next: string,
): Promise<FastifyReply> {
  const site = request.site!;
  const form = sentForm(request, ['login', email, next]);
  const { browserToken, isRepeated } = await browserTokenFor(viewOf(parts, request), form);
  if (isRepeated) return redirectToCode(reply, site, browserToken);
  const knownBrowserId = request.knownBrowser?.idByEmail.get(email) ?? null;
  await countUnknownEmail(parts, request, reply, knownBrowserId);
  if (reply.sent) return reply;
  const bucket = loginBucket(site, knownBrowserId, email);
  const wait = await secondsToWait(parts, `login ${bucket}`, parts.settings.loginLimit);
  if (wait > 0) {
    reply.header('retry-after', wait);
    const view = { next, email, problem: 'too_many', waitMinutes: Math.ceil(wait / 60) } as const;
    return sendPage(reply, formPage(request, view), 429);
  }
  const { language } = pageFrame(request);
  await act(parts, request, 'requestLoginLink', {
    email,
    browserToken,
    knownBrowserId,
    next,
    language,
    code: generateCode(),
    origin: originOf(site)!,
  });
  return redirectToCode(reply, site, browserToken);
}

function redirectToCode(reply: FastifyReply, site: Site, browserToken: string): FastifyReply {
  setCookie(reply, 'login', site, browserToken, loginCookieSeconds);
  return reply.redirect(`${pagesOf(site).prefix}/check`, 303);
}

function formPage(request: FastifyRequest, view: LoginPage): string {
  return loginPage(pageFrame(request), { ...view, passkeys: isForOperators(request) });
}

function isForOperators({ site }: FastifyRequest): boolean {
  return loginSurfaceOf(site!) === 'operators';
}

/** The page for page codes at the host from which the visitor came, where the code is needed. */
function pageCodeUrlFor({ site }: FastifyRequest, next: string | undefined): string {
  const origin = originOf(site!)!;
  const path = checkNext(next, origin);
  const { pathname, searchParams } = new URL(path, origin);
  const domain = searchParams.get('host');
  const isElsewhere = pathname === returnToHostPath && domain !== null && isFurtherHost(site!, domain);
  if (!isElsewhere) return pageCodeUrl(site!, path);
  return pageCodeUrl(atNamedHost(site!, domain, ''), searchParams.get('next') ?? undefined);
}

/** The page to continue to after the login, from the form or the URL. */
function nextOf({ site }: FastifyRequest, field: Fields[string]): string {
  return checkNext(one(field), originOf(site!)!, pagesOf(site!));
}
