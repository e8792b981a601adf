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
import { pageCodePath } from '../../domain/sites/page-addresses.ts';
import { originOf } from '../../domain/sites/site.ts';
import { type PageCodePage, pageCodePage } from '../../pages/pages.ts';
import { addressBucket, bucketFor } from '../shared/limits/rate-limit.ts';
import { pageFrame, sendPage } from '../shared/pages/page-response.ts';
import { act } from '../shared/requests/page-action.ts';
import { offerForm, setCookie } from '../shared/requests/page-cookies.ts';
import { type PageParts, viewOf } from '../shared/requests/page-parts.ts';
import { type Fields, one, onlyPressed, secondsToWait } from '../shared/requests/page-request.ts';
import { readCookie } from '../shared/requests/site-request.ts';

/** Wrong codes of one client address on a site in 15 minutes. */
const maxTries = 10;
const triesSeconds = 15 * 60;
const hourSeconds = 60 * 60;

/** The page on which visitors enter a page code: at each host, because its cookie is for this host only. */
export function addPageCodePages(pages: FastifyInstance, parts: PageParts): void {
  pages.get('/page-code', async (request, reply) => {
    const pass = passOf(request);
    const codes = await findEnteredCodes(viewOf(parts, request), pass, passDomainOf(request.site!));
    const next = nextOf(request, (request.query as Fields).next);
    return showForm(request, reply, { next, hasEntered: codes.length > 0 });
  });

  pages.post('/page-code', async (request, reply) => {
    const fields = request.body as Fields | undefined;
    const next = nextOf(request, fields?.next);
    const formToken = readCookie(request.raw, 'form', request.site!);
    // A program that submits every form must not use up a code.
    if (!isToken(formToken)) return showForm(request, reply, { next, problem: 'no_cookie' }, 400);
    const wait = await countTry(parts, request, 1);
    if (wait > 0) {
      reply.header('retry-after', wait);
      const waitMinutes = Math.ceil(wait / 60);
      return showForm(request, reply, { next, problem: 'too_many', waitMinutes }, 429);
    }
    return enterCode(parts, request, reply, { typed: one(fields?.code) ?? '', formToken, next });
  });

  pages.post('/page-code/leave', onlyPressed, async (request, reply) => {
    const site = request.site!;
    await act(parts, request, 'leavePages', { token: passOf(request), domain: passDomainOf(site) });
    setCookie(reply, 'pass', site, null, 0);
    return reply.redirect(pageCodePath('/'), 303);
  });
}

interface SentCode {
  readonly typed: string;
  readonly formToken: string;
  readonly next: string;
}

async function enterCode(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { typed, formToken, next }: SentCode,
): Promise<FastifyReply> {
  const site = request.site!;
  const view = viewOf(parts, request);
  const token = passOf(request);
  const { codeHash, isPaused } = await findTypedCode(view, typed, token);
  if (codeHash !== null) {
    const newToken = passTokenFor(formToken, codeHash);
    const entry = { codeHash, domain: passDomainOf(site), token, newToken };
    const end = await act(parts, request, 'enterPageCode', entry);
    if (end !== null) {
      // A class behind one address enters the same code.
      await countTry(parts, request, -1);
      setCookie(reply, 'pass', site, newToken, Math.ceil(millisecondsBetween(view.now, end) / 1_000));
      return reply.redirect(originOf(site)! + next, 303);
    }
  }
  await countWrongCode(parts, request);
  return showForm(request, reply, { next, problem: isPaused ? 'paused' : 'wrong' }, 400);
}

/** Counts an attempt before it is checked, so that none of many at once is free. @returns the seconds to wait */
function countTry({ limits }: PageParts, { site, ip }: FastifyRequest, points: 1 | -1): Promise<number> {
  return limits
    .consume(bucketFor(`page-code ${site!.id}`, addressBucket(ip)), maxTries, triesSeconds, points)
    .then(({ exceeded, secondsToReset }) => (exceeded ? Math.max(secondsToReset, 1) : 0));
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

/** The page to continue to, from the form or the URL. */
function nextOf({ site }: FastifyRequest, field: Fields[string]): string {
  return checkNext(one(field), originOf(site!)!);
}
