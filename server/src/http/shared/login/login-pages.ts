import type { FastifyInstance } from 'fastify';
import type { PageParts } from '../requests/page-parts.ts';
import { addCodeForm } from './code-form.ts';
import { addLinkPages } from './link-pages.ts';
import { addLogOut } from './log-out.ts';
import { addLoginForm } from './login-form.ts';
import { addOtherSessionsPage } from './other-sessions.ts';

/** The pages on which members and operators log in and out: they request an email, and use its link or its code. */
export function addLoginPages(pages: FastifyInstance, parts: PageParts): void {
  addLoginForm(pages, parts);
  addCodeForm(pages, parts);
  addLinkPages(pages, parts);
  addOtherSessionsPage(pages, parts);
  addLogOut(pages, parts);
}
