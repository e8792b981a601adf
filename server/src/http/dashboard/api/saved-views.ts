import { listSitesOfOperator } from '../../../domain/operators/operators.ts';
import { listSavedViews } from '../../../domain/saved-views/saved-views.ts';
import { sessionTokenOf } from '../../shared/requests/page-cookies.ts';
import { type DashboardHandlers, runAction } from './dashboard-handler.ts';

/** The searches for members that the logged-in operator has saved. */
export const savedViewHandlers: DashboardHandlers<
  'listSavedViews' | 'createSavedView' | 'updateSavedView' | 'deleteSavedView'
> = {
  listSavedViews: async ({ parts: { database: db, tenant }, operator }, { query: { siteId } }) => {
    const { memberId: personId } = operator;
    const hasRole = (await listSitesOfOperator(db, personId)).some(({ id }) => id === siteId);
    const owner = { personId, operatedSiteId: siteId };
    return { data: hasRole ? await listSavedViews({ db, siteId: tenant.id }, owner) : [] };
  },

  createSavedView: async (context, { query: { siteId }, body: view }) => {
    const sessionToken = sessionTokenOf(context.request);
    return { data: await runAction(context, 'createSavedView', { sessionToken, siteId, view }) };
  },

  updateSavedView: async (context, { params: { viewId }, body: changes }) => {
    const sessionToken = sessionTokenOf(context.request);
    return { data: await runAction(context, 'updateSavedView', { sessionToken, viewId, changes }) };
  },

  deleteSavedView: async (context, { params: { viewId } }) => {
    await runAction(context, 'deleteSavedView', { sessionToken: sessionTokenOf(context.request), viewId });
  },
};
