import { findDeliveryState } from '../../../domain/emails/emails.ts';
import { requireMailServerAccess } from '../../../domain/operators/mail-test.ts';
import { hasSeveralSites } from '../../../domain/sites/sites.ts';
import { pageFrame } from '../../shared/pages/page-response.ts';
import { sessionTokenOf } from '../../shared/requests/page-cookies.ts';
import { type DashboardHandlers, runAction } from './dashboard-handler.ts';

/** The mail server, for operators who may change the settings of a site. */
export const mailServerHandlers: DashboardHandlers<'getMailServer' | 'testMailServer'> = {
  getMailServer: async ({ parts, operator }, { query: { siteId } }) => {
    const { database: db, tenant, mailServer } = parts;
    const view = { db, siteId };
    await requireMailServerAccess(view, tenant.id, operator.memberId);
    const { lastSentAt, lastFailure } = await findDeliveryState(view);
    const isShared = mailServer !== undefined && (await hasSeveralSites(db));
    return {
      data: {
        configured: mailServer !== undefined,
        from: mailServer?.from ?? null,
        host: isShared ? null : (mailServer?.host ?? null),
        lastSentAt,
        lastFailure,
      },
    };
  },

  testMailServer: async (context, { body: { siteId } }) => {
    const { request } = context;
    const input = { sessionToken: sessionTokenOf(request), language: pageFrame(request).language };
    return { data: { emailId: await runAction(context, 'testMailServer', input, siteId) } };
  },
};
