import type { Routes } from '../routing/route.ts';
import {
  createAccessGroup,
  deleteAccessGroup,
  findAccessGroup,
  listAccessGroups,
  updateAccessGroup,
} from './access-groups.ts';

export const accessGroupRoutes: Routes<
  'listAccessGroups' | 'createAccessGroup' | 'getAccessGroup' | 'updateAccessGroup' | 'deleteAccessGroup'
> = {
  listAccessGroups: async ({ db, siteId, cause }, { query }) => ({
    body: await listAccessGroups(db, siteId, query, cause.at),
  }),

  createAccessGroup: async ({ db, siteId, cause, apiUrl }, { body }) => {
    const group = await createAccessGroup(db, siteId, body, cause);
    return { body: { data: group }, location: `${apiUrl}/access-groups/${group.id}` };
  },

  getAccessGroup: async ({ db, siteId, cause }, { params }) => ({
    body: { data: await findAccessGroup(db, siteId, params.groupId, cause.at) },
  }),

  updateAccessGroup: async ({ db, siteId, cause, requireMatch }, { params, body }) => {
    const group = await updateAccessGroup(db, siteId, params.groupId, body, cause, requireMatch);
    return { body: { data: group } };
  },

  deleteAccessGroup: async ({ db, siteId, cause, requireMatch }, { params }) => {
    await deleteAccessGroup(db, siteId, params.groupId, cause, requireMatch);
    return { body: undefined };
  },
};
