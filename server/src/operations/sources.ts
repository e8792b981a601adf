import {
  createSource,
  deleteSource,
  findSource,
  listSources,
  updateSource,
} from '../domain/sources/sources.ts';
import type { OperationHandlers } from './operation-handler.ts';

export const sourceHandlers = {
  listSources: async ({ db, siteId, now }, { query }) => ({
    body: await listSources(db, siteId, query, now),
  }),

  createSource: async ({ change, workspaces, apiUrl }, { body }) => {
    const source = await createSource(change, body, workspaces);
    return { body: { data: source }, location: `${apiUrl}/sources/${source.id}`, queued: 'source-runs' };
  },

  getSource: async ({ db, siteId }, { params }) => ({
    body: { data: await findSource(db, siteId, params.sourceId) },
  }),

  updateSource: async ({ change, workspaces, requireMatch }, { params, body }) => ({
    body: { data: await updateSource(change, workspaces, params.sourceId, body, requireMatch) },
    queued: 'source-runs',
  }),

  deleteSource: async ({ change, requireMatch }, { params, query }) => {
    await deleteSource(change, params.sourceId, query.groups, requireMatch);
    return { body: undefined };
  },
} satisfies OperationHandlers;
