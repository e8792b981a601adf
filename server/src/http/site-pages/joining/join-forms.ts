import { normalizeEmail } from '@gatehouse/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findVisitor, type Visitor } from '../../../domain/access-rules/visitor.ts';
import { type EnteredTexts, pathOf } from '../../../domain/logins/arrivals.ts';
import type { MemberRequest } from '../../../domain/own-account/own-joining.ts';
import { checkNext } from '../../../domain/sites/next-path.ts';
import { originOf } from '../../../domain/sites/site.ts';
import type { EnteredFields, JoinProblem } from '../../../pages/pages.ts';
import { enteredTexts, toEntered } from '../../shared/login/entered-texts.ts';
import { requestLink } from '../../shared/login/request-link.ts';
import { pageFrame } from '../../shared/pages/page-response.ts';
import { sentForm, sessionTokenOf } from '../../shared/requests/page-cookies.ts';
import { type PageParts, viewOf } from '../../shared/requests/page-parts.ts';
import { type Fields, one } from '../../shared/requests/page-request.ts';

export const nothingEntered: EnteredFields = { email: '', displayName: '', message: '' };

/** A form as it is shown again, with what is wrong. */
export interface WrongForm {
  readonly entered: EnteredFields;
  readonly problem: JoinProblem;
}

/** The member who is logged in in this browser; undefined for nobody. */
export async function memberOf(parts: PageParts, request: FastifyRequest): Promise<Visitor | undefined> {
  const visitor = await findVisitor(viewOf(parts, request), sessionTokenOf(request));
  return visitor?.status === 'active' ? visitor : undefined;
}

/** The page to continue to, from the form or the URL. */
export function nextOf({ site, method, body, query }: FastifyRequest): string {
  const fields = (method === 'POST' ? body : query) as Fields | undefined;
  return checkNext(one(fields?.next), originOf(site!)!);
}

/**
 * Requests the email with which somebody joins who is not logged in. Returns the form with what is wrong with it; undefined
 * if the reply has been sent, which is the same for every address.
 */
export async function requestJoining(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  invitationId: string | null,
): Promise<WrongForm | undefined> {
  const fields = request.body as Fields | undefined;
  const submitted = one(fields?.email) ?? '';
  const read = enteredTexts(fields) ?? { displayName: null, message: null };
  const texts = 'problem' in read ? read.entered : toEntered(read);
  const entered = { email: submitted.slice(0, 254), ...texts };
  const email = normalizeEmail(submitted);
  if (email === null) return { entered, problem: { kind: 'invalid_email' } };
  if ('problem' in read) return { entered, problem: { kind: read.problem } };
  const next = nextOf(request);
  const joining = { invitationId, ...read, path: pathOf(next) };
  const form = sentForm(request, ['join', email, next, JSON.stringify(joining)]);
  const wait = await requestLink(parts, request, reply, { email, next, joining }, form);
  if (wait === 0) return undefined;
  return { entered, problem: { kind: 'too_many', waitMinutes: Math.ceil(wait / 60) } };
}

/** What a member who is logged in tells the team of the site; or the form with what is wrong with it. */
export function readMemberRequest(request: FastifyRequest): MemberRequest | WrongForm {
  const read = enteredTexts(request.body as Fields | undefined) ?? noTexts;
  if ('problem' in read) return { entered: { email: '', ...read.entered }, problem: { kind: read.problem } };
  const { language } = pageFrame(request);
  return { message: read.message, path: pathOf(nextOf(request)), language };
}

const noTexts: EnteredTexts = { displayName: null, message: null };

/** Whether a form is that of a member who is logged in. */
export function isOfMember({ body }: FastifyRequest): boolean {
  return one((body as Fields | undefined)?.as) === 'member';
}

/** Whether a browser sent the cookie of the page with its form. */
export function hasFormCookie(request: FastifyRequest): boolean {
  return sentForm(request, []) !== null;
}
