import { grants } from '@gatehouse/contract';
import type { Routes } from '../routing/route.ts';
import { findMail, listMails } from './mails.ts';

export const mailRoutes: Routes<'listMails' | 'getMail'> = {
  listMails: async ({ db, siteId, cause }, { query }) => ({
    body: await listMails(db, siteId, query, cause.at),
  }),

  getMail: async ({ db, siteId, permissions }, { params }) => {
    const mail = await findMail(db, siteId, params.mailId);
    // Whoever reads a login link is that member.
    const mayRead = grants(permissions, 'login-links:write');
    return { body: { data: mayRead ? mail : { ...mail, text: null, html: null } } };
  },
};
