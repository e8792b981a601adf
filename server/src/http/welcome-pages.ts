import type { FastifyInstance, FastifyRequest } from 'fastify';
import { normalizeEmail } from '../members/email.ts';
import { normalizeDisplayName } from '../members/member.ts';
import { isWelcome } from '../operators/welcome.ts';
import { deadLinkPage, type WelcomePage, welcomePage } from '../pages/pages.ts';
import type { Realm } from '../sites/realm.ts';
import { letIn } from './login-pages.ts';
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
export function addWelcome(pages: FastifyInstance, parts: PageParts, { prefix, front }: Realm): void {
  const show = (request: FastifyRequest, view: Omit<WelcomePage, 'action'>) =>
    welcomePage(pageFrame(request), { action: `${prefix}/welcome/${tokenOf(request)}`, ...view });
  const dead = (request: FastifyRequest) => deadLinkPage(pageFrame(request), { next: front });

  pages.get('/welcome/:token', pageOptions, async (request, reply) => {
    const now = parts.clock().toISOString();
    const works = await isWelcome(parts.database, request.site!.id, tokenOf(request), now);
    if (!works) return sendPage(reply, dead(request), 410);
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
    return sendPage(reply, dead(request), 410);
  });
}

function tokenOf({ params }: FastifyRequest): string {
  return (params as { token: string }).token;
}
