import {
  createAccessGroup,
  deleteAccessGroup,
  findAccessGroup,
  listAccessGroups,
  updateAccessGroup,
} from '../../domain/access-groups/access-groups.ts';
import { data, isFiltered, noContent, type OperationHandlers, page } from '../operation-handler.ts';

export const accessGroupHandlers = {
  listAccessGroups: {
    readsMany: isFiltered,
    handle: (view, { query }) => page(listAccessGroups(view, query)),
  },

  createAccessGroup: async ({ change, apiUrl }, { body }) => {
    const group = await createAccessGroup(change, body);
    return { body: { data: group }, location: `${apiUrl}/access-groups/${group.id}` };
  },

  getAccessGroup: (view, { params }) => data(findAccessGroup(view, params.groupId)),

  updateAccessGroup: async ({ change, requireMatch }, { params, body }) => {
    const group = await updateAccessGroup(change, params.groupId, body, requireMatch);
    return { body: { data: group } };
  },

  deleteAccessGroup: {
    changesMany: true,
    handle: ({ change, requireMatch }, { params }) =>
      noContent(deleteAccessGroup(change, params.groupId, requireMatch)),
  },
} satisfies OperationHandlers;
