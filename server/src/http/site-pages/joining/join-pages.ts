import type { FastifyInstance } from 'fastify';
import type { PageParts } from '../../shared/requests/page-parts.ts';
import { addInvitationPages } from './invitation-pages.ts';
import { addJoinRequestPages } from './join-request-pages.ts';

/** The pages on which people join with an invitation, or ask to join. */
export function addJoinPages(pages: FastifyInstance, parts: PageParts): void {
  addJoinRequestPages(pages, parts);
  addInvitationPages(pages, parts);
}
