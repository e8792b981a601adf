import { normalizeEmail } from '@gatehouse/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { withoutAppended } from '../../../base/text/appended-characters.ts';
import { hasMembers } from '../../../domain/members/member-lookup.ts';
import { mayRequestToJoin, offersSignUp } from '../../../domain/sign-up/sign-up.ts';
import { checkNext } from '../../../domain/sites/next-path.ts';
import {
  joinPath,
  offersCodeField,
  returnToHostPath,
  unsentField,
} from '../../../domain/sites/page-addresses.ts';
import { loginSurfaceOf, originOf } from '../../../domain/sites/site.ts';
import { pageCodeUrl, pagesOf } from '../../../domain/sites/site-addresses.ts';
import { atNamedHost, isFurtherHost } from '../../../domain/sites/visited-site.ts';
import { type LoginPage, loginPage, noOperatorPage } from '../../../pages/pages.ts';
import { allowRequests, pageFrame, sendPage } from '../pages/page-response.ts';
import { passkeyLoginOf } from '../passkeys/passkey-login.ts';
import { offerForm, sentForm } from '../requests/page-cookies.ts';
import type { PageParts } from '../requests/page-parts.ts';
import { type Fields, one } from '../requests/page-request.ts';
import { takeFailure } from './failed-login.ts';
import { findOfferedProviders } from './offered-providers.ts';
import { requestLink } from './request-link.ts';

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
      pageCodeUrl: pageCodeUrlFor(request, code, one(next)),
      ...(await takeFailure(parts, request, reply)),
    };
    return sendLoginForm(parts, request, reply, view);
  });

  pages.post('/login', async (request, reply) => {
    const fields = request.body as Fields | undefined;
    const next = nextOf(request, fields?.next);
    const entered = one(fields?.email) ?? '';
    const email = normalizeEmail(entered);
    const codeUrl = pageCodeUrlFor(request, fields?.[offersCodeField], next);
    if (email === null) {
      const view = { next, email: entered.slice(0, 254), problem: 'invalid_email' } as const;
      return sendLoginForm(parts, request, reply, { ...view, pageCodeUrl: codeUrl }, 400);
    }
    const form = sentForm(request, ['login', email, next]);
    const wait = await requestLink(parts, request, reply, { email, next, joining: null }, form);
    if (wait === 0) return reply;
    const view = { next, email, problem: 'too_many', waitMinutes: Math.ceil(wait / 60) } as const;
    return sendLoginForm(parts, request, reply, { ...view, pageCodeUrl: codeUrl }, 429);
  });
}

/** Sends the login page, with every way to log in. */
export async function sendLoginForm(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  view: LoginPage,
  status = 200,
): Promise<FastifyReply> {
  const site = request.site!;
  // Where everybody can sign up, nobody has to ask.
  const canRequest =
    !isForOperators(request) && mayRequestToJoin(site, true) && site.signUp.policy !== 'open';
  const path = canRequest ? joinPath(pagesOf(site), view.next) : undefined;
  const passkeys = passkeyLoginOf(site);
  if (passkeys) allowRequests(reply);
  const providers = await findOfferedProviders(parts, request);
  const page = loginPage(pageFrame(request), {
    ...view,
    offersSignUp: offersSignUp(site),
    passkeys,
    joinPath: path,
    providers,
  });
  return sendPage(reply, page, status);
}

function isForOperators({ site }: FastifyRequest): boolean {
  return loginSurfaceOf(site!) === 'operators';
}

/**
 * The page for page codes at the host from which the visitor came, where the code is needed.
 * @param code says whether a code gives access too
 */
function pageCodeUrlFor(
  { site }: FastifyRequest,
  code: Fields[string],
  next: string | undefined,
): string | undefined {
  if (one(code) !== 'yes') return undefined;
  const origin = originOf(site!)!;
  const path = checkNext(next, origin);
  const { pathname, searchParams } = new URL(path, origin);
  const domain = searchParams.get('host');
  const isElsewhere = pathname === returnToHostPath && domain !== null && isFurtherHost(site!, domain);
  if (!isElsewhere) return pageCodeUrl(site!, path, true);
  return pageCodeUrl(atNamedHost(site!, domain, ''), searchParams.get('next') ?? undefined, true);
}

/** The page to continue to after the login, from the form or the URL. */
export function nextOf({ site }: FastifyRequest, field: Fields[string]): string {
  return checkNext(one(field), originOf(site!)!, pagesOf(site!));
}
