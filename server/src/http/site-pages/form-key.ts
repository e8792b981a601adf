import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findVisitor } from '../../domain/access-rules/visitor.ts';
import { isSameSecret } from '../shared/credentials/same-secret.ts';
import { sendForbidden } from '../shared/pages/page-response.ts';
import { sessionTokenOf } from '../shared/requests/page-cookies.ts';
import { type PageParts, viewOf } from '../shared/requests/page-parts.ts';
import { type Fields, one, onlyPressed } from '../shared/requests/page-request.ts';

/**
 * The key of the forms of one session. Other pages of the same host cannot know it: they can read neither the session
 * cookie nor the account page.
 */
export function formKeyOf(request: FastifyRequest): string {
  return hash('sha256', `forms of the account page, ${sessionTokenOf(request)}`, 'base64url');
}

/** Whether a request comes from the account page of its session. */
export function isFormKey(request: FastifyRequest, given: string | undefined): boolean {
  return isSameSecret(given ?? '', formKeyOf(request));
}

/** Refuses a form that is not from the account page of its session. Without a session a form does nothing. */
async function requireFormKey(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const given = one((request.body as Fields | undefined)?.formKey);
  if (isFormKey(request, given)) return undefined;
  const visitor = await findVisitor(viewOf(parts, request), sessionTokenOf(request));
  return visitor && sendForbidden(request, reply);
}

/** A form of the account page. */
export function ownFormOf(parts: PageParts) {
  return {
    ...onlyPressed,
    preHandler: (request: FastifyRequest, reply: FastifyReply) => requireFormKey(parts, request, reply),
  };
}
