import type { FastifyInstance, FastifyRequest } from 'fastify';
import { normalizeEmail } from '../members/email.ts';
import { normalizeDisplayName } from '../members/member.ts';
import { isWelcome } from '../operators/welcome.ts';
import { type WelcomePage, welcomePage } from '../pages/pages.ts';
import type { Realm } from '../sites/realm.ts';
import { answerDeadLink, letIn } from './login-pages.ts';
import {
  act,
  browserOf,
  type Fields,
  one,
  type PageParts,
  pageFrame,
  pageOptions,
  sendPage,
} from './page-request.ts';

/** Where the link leads that the first start prints. */
export function addWelcome(pages: FastifyInstance, parts: PageParts, realm: Realm): void {
  const show = (request: FastifyRequest, view: Omit<WelcomePage, 'action'>) =>
    welcomePage(pageFrame(request), { action: `${realm.prefix}/welcome/${tokenOf(request)}`, ...view });

  pages.get('/welcome/:token', pageOptions, async (request, reply) => {
    const now = parts.clock().toISOString();
    const works = await isWelcome(parts.database, request.site!.id, tokenOf(request), now);
    if (!works) return answerDeadLink(parts, request, reply, realm);
    return sendPage(reply, show(request, { email: '', displayName: '' }));
  });

  pages.post('/welcome/:token', pageOptions, async (request, reply) => {
    const fields = request.body as Fields | undefined;
    const typed = {
      email: (one(fields?.email) ?? '').slice(0, 254),
      displayName: (one(fields?.displayName) ?? '').slice(0, 1_000),
    };
    const email = normalizeEmail(typed.email);
    const displayName = normalizeDisplayName(typed.displayName);
    if (displayName === undefined) {
      return sendPage(reply, show(request, { ...typed, problem: 'invalid_name' }), 400);
    }
    if (email === null) return sendPage(reply, show(request, { ...typed, problem: 'invalid_email' }), 400);
    const login = await act(parts, request, 'acceptWelcome', {
      token: tokenOf(request),
      person: { email, displayName },
      browser: browserOf(request),
    });
    if (login.outcome === 'in') return letIn(reply, request.site!, login);
    return answerDeadLink(parts, request, reply, realm);
  });
}

function tokenOf({ params }: FastifyRequest): string {
  return (params as { token: string }).token;
}
