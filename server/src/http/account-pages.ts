import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findSession, listSessions } from '../credentials/sessions.ts';
import { loginUrl } from '../gate/verified-session.ts';
import { selectMember } from '../members/member-store.ts';
import { accountPage, messagePage } from '../pages/pages.ts';
import { memberRealm } from '../sites/realm.ts';
import {
  act,
  deviceCookieOf,
  type Fields,
  keepCookie,
  one,
  type PageParts,
  pageFrame,
  pageOptions,
  sendPage,
  sessionTokenOf,
} from './page-request.ts';

const { prefix } = memberRealm;
const shownSessions = 100;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Where members see and change what is theirs. */
export function addAccount(pages: FastifyInstance, parts: PageParts): void {
  const toLogin = (reply: FastifyReply) => reply.redirect(`${prefix}/login?next=${prefix}/account`, 303);

  pages.get('/account', pageOptions, async (request, reply) => {
    const saved = one((request.query as Fields).saved) === 'yes';
    const page = await account(parts, request, { saved });
    return page === undefined ? toLogin(reply) : sendPage(reply, page);
  });

  pages.post('/account', pageOptions, async (request, reply) => {
    const entered = one((request.body as Fields | undefined)?.displayName) ?? '';
    const sessionToken = sessionTokenOf(request);
    const result = await act(parts, request, 'renameMember', { sessionToken, displayName: entered });
    if (result === 'renamed') return reply.redirect(`${prefix}/account?saved=yes`, 303);
    const view = { problem: 'invalid_name', enteredName: entered.slice(0, 1_000) } as const;
    const page = result === 'signed_out' ? undefined : await account(parts, request, view);
    return page === undefined ? toLogin(reply) : sendPage(reply, page, 400);
  });

  pages.post('/account/sessions/end', pageOptions, async (request, reply) => {
    const sessionId = one((request.body as Fields | undefined)?.id) ?? '';
    const input = {
      sessionToken: sessionTokenOf(request),
      sessionId: uuid.test(sessionId) ? sessionId : null,
    };
    if (input.sessionId !== null) await act(parts, request, 'endSession', input);
    return reply.redirect(`${prefix}/account`, 303);
  });

  pages.post('/sign-out-everywhere', pageOptions, async (request, reply) => {
    await act(parts, request, 'endAllSessions', {
      sessionToken: sessionTokenOf(request),
      deviceCookie: deviceCookieOf(request) ?? null,
    });
    return signedOut(request, reply);
  });
}

/** Where people leave, of whatever realm. */
export function addSignOut(pages: FastifyInstance, parts: PageParts): void {
  pages.post('/sign-out', pageOptions, async (request, reply) => {
    await act(parts, request, 'endSession', { sessionToken: sessionTokenOf(request), sessionId: null });
    const next = one((request.body as Fields | undefined)?.next);
    if (next === undefined) return signedOut(request, reply);
    // To log in with another address, and come back to where the way was shut.
    keepCookie(reply, 'session', request.site!, null, 0);
    return reply.redirect(loginUrl(request.site!, next), 303);
  });
}

function signedOut(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  keepCookie(reply, 'session', request.site!, null, 0);
  return sendPage(reply, messagePage(pageFrame(request), { kind: 'signed_out' }));
}

async function account(
  { database, clock }: PageParts,
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
  return accountPage(pageFrame(request), { member: person, sessions, now, ...view });
}
