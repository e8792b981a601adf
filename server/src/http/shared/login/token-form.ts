import type { FastifyInstance } from 'fastify';
import { act, browserOf, type Fields, one, type PageParts } from '../requests/page-request.ts';
import { redirectAfterLogin, sendInvalidLink } from './after-login.ts';

/** The form with which a program logs a browser in that it controls, with an access token of a member. It has no page. */
export function addTokenForm(pages: FastifyInstance, parts: PageParts): void {
  pages.post('/token', async (request, reply) => {
    const token = one((request.body as Fields | undefined)?.token) ?? '';
    const input = { token, browser: browserOf(parts, request, null) };
    const login = await act(parts, request, 'consumeAccessToken', input);
    return login.outcome === 'logged_in'
      ? redirectAfterLogin(parts, reply, request.site!, login)
      : sendInvalidLink(parts, request, reply);
  });
}
