import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { millisecondsBetween } from '../../base/clock.ts';
import {
  findEnteredCodes,
  findTypedCode,
  passDomainOf,
  passTokenFor,
} from '../../domain/page-codes/page-passes.ts';
import { maxWrongAttempts } from '../../domain/page-codes/pausing.ts';
import { isToken } from '../../domain/sessions/token.ts';
import { checkNext } from '../../domain/sites/next-path.ts';
import { offersLoginField, pageCodePath } from '../../domain/sites/page-addresses.ts';
import { originOf } from '../../domain/sites/site.ts';
import { type PageCodePage, pageCodePage } from '../../pages/pages.ts';
import { pageFrame, sendPage } from '../shared/pages/page-response.ts';
import { act } from '../shared/requests/page-action.ts';
import { offerForm, setCookie } from '../shared/requests/page-cookies.ts';
import { type PageParts, viewOf } from '../shared/requests/page-parts.ts';
import { type Fields, one, onlyPressed, secondsToWait } from '../shared/requests/page-request.ts';
import { readCookie } from '../shared/requests/site-request.ts';
import { PageCodeAttempts } from './page-code-attempts.ts';

const hourSeconds = 60 * 60;

/** The page on which visitors enter a page code: at each host, because its cookie is for this host only. */
export function addPageCodePages(pages: FastifyInstance, parts: PageParts): void {
  const attempts = new PageCodeAttempts(parts.limits);

  pages.get('/page-code', async (request, reply) => {
    const pass = passOf(request);
    const codes = await findEnteredCodes(viewOf(parts, request), pass, passDomainOf(request.site!));
    return showForm(request, reply, { ...wayOf(request, request.query), hasEntered: codes.length > 0 });
  });

  pages.post('/page-code', async (request, reply) => {
    const way = wayOf(request, request.body);
    const formToken = readCookie(request.raw, 'form', request.site!);
    // A program that submits every form must not use up a code.
    if (!isToken(formToken)) return showForm(request, reply, { ...way, problem: 'no_cookie' }, 400);
    const typed = one((request.body as Fields).code) ?? '';
    const wait = await attempts.check(request, () =>
      enterCode(parts, request, reply, { typed, formToken, way }),
    );
    if (wait === 0) return reply;
    reply.header('retry-after', wait);
    const waitMinutes = Math.ceil(wait / 60);
    return showForm(request, reply, { ...way, problem: 'too_many', waitMinutes }, 429);
  });

  pages.post('/page-code/leave', onlyPressed, async (request, reply) => {
    const site = request.site!;
    await act(parts, request, 'leavePages', { token: passOf(request), domain: passDomainOf(site) });
    setCookie(reply, 'pass', site, null, 0);
    return reply.redirect(pageCodePath('/'), 303);
  });
}

/** Where visitors come from, and go to with the right code. */
type Way = Pick<PageCodePage, 'next' | 'offersLogin'>;

interface SentCode {
  readonly typed: string;
  readonly formToken: string;
  readonly way: Way;
}

/** Sends the response. Returns whether the code was right. */
async function enterCode(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { typed, formToken, way }: SentCode,
): Promise<boolean> {
  const site = request.site!;
  const view = viewOf(parts, request);
  const pass = { token: passOf(request), domain: passDomainOf(site) };
  const { codeHash, isPaused } = await findTypedCode(view, typed, pass);
  if (codeHash !== null) {
    const newToken = passTokenFor(formToken, codeHash);
    const end = await act(parts, request, 'enterPageCode', { codeHash, ...pass, newToken });
    if (end !== null) {
      setCookie(reply, 'pass', site, newToken, Math.ceil(millisecondsBetween(view.now, end) / 1_000));
      reply.redirect(originOf(site)! + way.next, 303);
      return true;
    }
  }
  await countWrongCode(parts, request);
  showForm(request, reply, { ...way, problem: isPaused ? 'paused' : 'wrong' }, 400);
  return false;
}

/** After too many wrong codes on a site from any addresses, codes that somebody has chosen are not accepted. */
async function countWrongCode(parts: PageParts, request: FastifyRequest): Promise<void> {
  const bucket = `wrong page-code ${request.site!.id}`;
  const wait = await secondsToWait(parts, bucket, maxWrongAttempts, hourSeconds);
  if (wait > 0) await act(parts, request, 'pausePageCodes', null);
}

function showForm(
  request: FastifyRequest,
  reply: FastifyReply,
  view: PageCodePage,
  status = 200,
): FastifyReply {
  offerForm(request, reply);
  const isWrong = view.problem === 'wrong' || view.problem === 'paused';
  return sendPage(
    reply,
    pageCodePage(pageFrame(request), view),
    status,
    isWrong ? 'page_code.wrong' : undefined,
  );
}

function passOf(request: FastifyRequest): string | null {
  return readCookie(request.raw, 'pass', request.site!) ?? null;
}

/** From the form or the URL. */
function wayOf({ site }: FastifyRequest, sent: unknown): Way {
  const { next, [offersLoginField]: login } = (sent ?? {}) as Fields;
  return { next: checkNext(one(next), originOf(site!)!), offersLogin: one(login) === 'yes' };
}
