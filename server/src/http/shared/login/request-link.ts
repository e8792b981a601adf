import type { FastifyReply, FastifyRequest } from 'fastify';
import { generateCode } from '../../../domain/login-links/login-code.ts';
import type { Joining } from '../../../domain/login-links/login-link.ts';
import { browserTokenFor } from '../../../domain/logins/login-requests.ts';
import type { SentForm } from '../../../domain/sessions/form-responses.ts';
import { originOf } from '../../../domain/sites/site.ts';
import { pagesOf } from '../../../domain/sites/site-addresses.ts';
import { pageFrame } from '../pages/page-response.ts';
import { act } from '../requests/page-action.ts';
import { setCookie } from '../requests/page-cookies.ts';
import { type PageParts, viewOf } from '../requests/page-parts.ts';
import { secondsToWait } from '../requests/page-request.ts';
import { countUnknownEmail, loginBucket } from './login-limits.ts';

/** An email may be delayed; the browser that requested it must still be known when it arrives. */
export const loginCookieSeconds = 24 * 60 * 60;

export interface WantedLink {
  /** A normalized email address. */
  readonly email: string;
  /** The page to continue to after the login. */
  readonly next: string;
  /** What the person has entered who wants to join; null for an ordinary login. */
  readonly joining: Joining | null;
}

/**
 * Requests a login link, and leads to the page for its code. Returns the seconds to wait when the limit of the address is
 * reached, and 0 otherwise: then the reply has been sent.
 */
export async function requestLink(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, next, joining }: WantedLink,
  form: SentForm | null,
): Promise<number> {
  const site = request.site!;
  const { browserToken, isRepeated } = await browserTokenFor(viewOf(parts, request), form);
  if (!isRepeated) {
    const knownBrowserId = request.knownBrowser?.idByEmail.get(email) ?? null;
    await countUnknownEmail(parts, request, reply, knownBrowserId);
    if (reply.sent) return 0;
    const bucket = loginBucket(site, knownBrowserId, email);
    const wait = await secondsToWait(parts, `login ${bucket}`, parts.settings.loginLimit);
    if (wait > 0) {
      reply.header('retry-after', wait);
      return wait;
    }
    const { language } = pageFrame(request);
    const [code, origin] = [generateCode(), originOf(site)!];
    const input = { email, browserToken, knownBrowserId, next, language, code, origin, joining };
    await act(parts, request, 'requestLoginLink', input);
  }
  setCookie(reply, 'login', site, browserToken, loginCookieSeconds);
  await reply.redirect(`${pagesOf(site).prefix}/check`, 303);
  return 0;
}
