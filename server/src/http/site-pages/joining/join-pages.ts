import type { FastifyInstance } from 'fastify';
import type { PageParts } from '../../shared/requests/page-parts.ts';
import { addAskPages } from './ask-pages.ts';
import { addInvitationPages } from './invitation-pages.ts';

/** The pages on which people join with an invitation, or ask to join. */
export function addJoinPages(pages: FastifyInstance, parts: PageParts): void {
  addAskPages(pages, parts);
  addInvitationPages(pages, parts);
}
