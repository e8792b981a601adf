import { sessionTokenOf } from '../../shared/requests/page-cookies.ts';
import { type DashboardHandlers, runAction } from './dashboard-handler.ts';

export const siteHandlers: DashboardHandlers<'createOperatorToken' | 'createSite'> = {
  createOperatorToken: async (context, { body: { siteId } }) => {
    const sessionToken = sessionTokenOf(context.request);
    return { data: await runAction(context, 'createOperatorToken', { sessionToken, siteId }) };
  },

  createSite: async (context, { body: site }) => {
    const sessionToken = sessionTokenOf(context.request);
    return { data: await runAction(context, 'createSiteAsOperator', { sessionToken, site }) };
  },
};
