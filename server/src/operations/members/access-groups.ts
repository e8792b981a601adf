import {
  createAccessGroup,
  deleteAccessGroup,
  findAccessGroup,
  listAccessGroups,
  updateAccessGroup,
} from '../../domain/access-groups/access-groups.ts';
import { isFiltered, type OperationHandlers } from '../operation-handler.ts';

export const accessGroupHandlers = {
  listAccessGroups: {
    readsMany: isFiltered,
    handle: async (view, { query }) => ({ body: await listAccessGroups(view, query) }),
  },

  createAccessGroup: async ({ change, apiUrl }, { body }) => {
    const group = await createAccessGroup(change, body);
    return { body: { data: group }, location: `${apiUrl}/access-groups/${group.id}` };
  },

  getAccessGroup: async (view, { params }) => ({
    body: { data: await findAccessGroup(view, params.groupId) },
  }),

  updateAccessGroup: async ({ change, requireMatch }, { params, body }) => {
    const group = await updateAccessGroup(change, params.groupId, body, requireMatch);
    return { body: { data: group } };
  },

  deleteAccessGroup: {
    changesMany: true,
    handle: async ({ change, requireMatch }, { params }) => {
      await deleteAccessGroup(change, params.groupId, requireMatch);
      return { body: undefined };
    },
  },
} satisfies OperationHandlers;
