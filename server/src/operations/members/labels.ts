import { createLabel, deleteLabel, findLabel, listLabels } from '../../domain/labels/labels.ts';
import type { OperationHandlers } from '../operation-handler.ts';

export const labelHandlers = {
  listLabels: async (view, { query }) => ({ body: await listLabels(view, query) }),

  createLabel: async ({ change, apiUrl }, { body }) => {
    const label = await createLabel(change, body);
    return { body: { data: label }, location: `${apiUrl}/labels/${label.id}` };
  },

  getLabel: async (view, { params }) => ({ body: { data: await findLabel(view, params.labelId) } }),

  deleteLabel: async ({ change, requireMatch }, { params }) => {
    await deleteLabel(change, params.labelId, requireMatch);
    return { body: undefined };
  },
} satisfies OperationHandlers;
