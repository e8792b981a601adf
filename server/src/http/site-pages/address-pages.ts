import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findVisitor } from '../../domain/access-rules/visitor.ts';
import type { AddressChange } from '../../domain/address-changes/address-change.ts';
import { findAddressChange, findReversal } from '../../domain/address-changes/address-changes.ts';
import { generateCode } from '../../domain/login-links/login-code.ts';
import { memberPages } from '../../domain/sites/page-addresses.ts';
import { type AddressProblem, addressAnchor } from '../../pages/account/address-forms.ts';
import { takeBackPage } from '../../pages/pages.ts';
import { tokenOf } from '../shared/login/link-token.ts';
import { triesTooManyCodes } from '../shared/login/login-limits.ts';
import { pageFrame, sendPage } from '../shared/pages/page-response.ts';
import { act, attempt } from '../shared/requests/page-action.ts';
import { deviceCookieOf, sessionTokenOf } from '../shared/requests/page-cookies.ts';
import { type PageParts, viewOf } from '../shared/requests/page-parts.ts';
import { type Fields, one, onlyPressed } from '../shared/requests/page-request.ts';
import { ownFormOf } from './form-key.ts';

const { prefix } = memberPages;

/** Shows the account page with what is wrong. */
export type ShowProblem = (
  request: FastifyRequest,
  reply: FastifyReply,
  problem: AddressProblem,
) => Promise<FastifyReply>;

/** The forms with which members change their email address. */
export function addAddressPages(pages: FastifyInstance, parts: PageParts, showProblem: ShowProblem): void {
  const ownForm = ownFormOf(parts);

  pages.post('/account/address', ownForm, async (request, reply) => {
    const input = {
      sessionToken: sessionTokenOf(request),
      email: one((request.body as Fields | undefined)?.email) ?? '',
      code: generateCode(),
      language: pageFrame(request).language,
    };
    const sent = await attempt(parts, request, 'requestAddressChange', input, [
      'logged_out',
      'invalid_request',
    ]);
    if (sent.kind !== 'success') {
      return sent.code === 'logged_out' ? toAccount(reply) : showProblem(request, reply, 'invalid');
    }
    return sent.result === 'requested'
      ? reply.redirect(`${prefix}/account#${addressAnchor}`, 303)
      : showProblem(request, reply, sent.result);
  });

  pages.post('/account/address/code', ownForm, async (request, reply) => {
    const { code, keepPasskeys, keepIdentities } = (request.body as Fields | undefined) ?? {};
    const typed = one(code) ?? '';
    const waiting = await findWaiting(parts, request);
    // Each request for a code allows a few attempts. All of them together must not be enough to guess one.
    const bucket = waiting && (`code to ${request.site!.id} ${waiting.email}` as const);
    if (bucket && (await triesTooManyCodes(parts, bucket, typed))) {
      return showProblem(request, reply, 'expired');
    }
    const input = {
      sessionToken: sessionTokenOf(request),
      typed,
      deviceCookie: deviceCookieOf(request) ?? null,
      keepsPasskeys: one(keepPasskeys) === 'yes',
      keepsIdentities: one(keepIdentities) === 'yes',
      language: pageFrame(request).language,
    };
    const changed = await attempt(parts, request, 'confirmAddressChange', input, ['logged_out']);
    if (changed.kind !== 'success' || changed.result === 'changed') return toAccount(reply);
    return showProblem(request, reply, changed.result);
  });
}

/** The page to which an email to a former address leads. */
export function addTakeBackPage(pages: FastifyInstance, parts: PageParts): void {
  pages.get('/take-back-address/*', async (request, reply) => {
    const token = tokenOf(request);
    const reversal = await findReversal(viewOf(parts, request), token);
    if (!reversal) return sendPage(reply, takeBackPage(pageFrame(request), { kind: 'ended' }), 404);
    const action = `${prefix}/take-back-address/${token}`;
    const shown = { kind: 'confirm', action, email: reversal.oldEmail } as const;
    return sendPage(reply, takeBackPage(pageFrame(request), shown));
  });

  pages.post('/take-back-address/*', onlyPressed, async (request, reply) => {
    const isDone = await act(parts, request, 'takeBackAddress', { token: tokenOf(request) });
    const page = takeBackPage(pageFrame(request), { kind: isDone ? 'done' : 'ended' });
    return sendPage(reply, page, isDone ? 200 : 404);
  });
}

/** The change that waits for its code in the session of a browser. */
async function findWaiting(parts: PageParts, request: FastifyRequest): Promise<AddressChange | undefined> {
  const view = viewOf(parts, request);
  const visitor = await findVisitor(view, sessionTokenOf(request));
  return visitor && findAddressChange(view, visitor.session.id);
}

function toAccount(reply: FastifyReply): FastifyReply {
  return reply.redirect(`${prefix}/account`, 303);
}
